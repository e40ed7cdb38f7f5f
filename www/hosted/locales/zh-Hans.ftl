# Simplified Chinese. The keys are those of en.ftl. Conventions: docs/reference/languages.md.

### 邀请的所有页面

page-footer = { $company } 在您同意后使用 Linchpin 读取账户。您的密码只会发送给您选择的机构。

### 邮件中的链接

page-link-unknown-title = 此链接无效
page-link-unknown-text = 它可能已被更新的链接取代，或者邀请已被撤回。请查找邀请您的公司发来的最新邮件。
page-link-used-title = 此链接已被使用
page-link-used-text = 每个链接只能使用一次。我们可以向同一个邮箱发送新链接。
page-link-expired-title = 此链接已过期
page-link-expired-text = 它的有效期为 { $days } 天。我们可以向同一个邮箱发送新链接。
page-link-again = 给我发送新链接
page-link-sent-title = 新链接正在发送
page-link-sent-text = 我们正在将它发送到与第一封邮件相同的邮箱。您可以关闭此页面。
page-link-early-title = 我们在不到一分钟前给您发过邮件
page-link-early-text = 请等待一分钟让邮件送达。如果没有收到，请再申请一封。
page-link-ended-title = 此邀请已结束
page-link-ended-text = 我们无法再为它发送链接。请向 { $company } 索取新的邀请。

### 访问

page-visit-over-title = 您的访问已结束
page-visit-over-text = 请再次打开链接。如果链接已被使用，页面会说明如何获取新链接。
page-widget-opening = 正在打开用于关联账户的窗口。
page-widget-script = 关联账户需要 JavaScript。请为此页面启用它。
page-widget-closed = 您在关联账户之前关闭了窗口。您可以从上次的步骤继续。
page-widget-limited = 此页面今天打开的次数过多。请稍后再试。
page-widget-broken = 出现问题。请重新加载此页面。

### A hosted link

page-hosted-used-text = 每个链接只能使用一次，并且只能在最先打开它的浏览器中使用。请在该浏览器中继续，或向 { $company } 索取新链接。
page-hosted-expired-text = 请向 { $company } 索取新链接。您之前关联的内容不会丢失。

### The phone

page-phone-title = 在手机上继续
page-phone-opening = 正在加载页面。
page-phone-script = 此页面需要 JavaScript。请启用它。
page-phone-scan = 请在电脑上显示二维码，然后重新扫描。
page-phone-done = 您可以关闭此页面。
page-phone-broken = 出了点问题。请在电脑上显示新的二维码并扫描。
page-phone-unknown-title = 此二维码无效

### The login on a provider’s page

page-sign-in-ask-title = 登录 { $provider }？
page-sign-in-ask-text = { $company } 请您在服务商的页面上登录，之后会收到您账户中的数据。
page-sign-in-ask-warning = 仅当这是您自己发起的操作时才继续。如果此地址是他人发给您的，请关闭此页面：对方会得到您的数据。
page-sign-in-ask-button = 前往 { $provider }
page-sign-in-here = 在此窗口中继续
page-sign-in-here-text = 继续即可查看登录状态，并可重新开始。
page-sign-in-received-title = 现在可以返回了
page-sign-in-received-text = 请回到另一个窗口，那里会自动继续。您可以关闭此页面。
page-sign-in-refused-title = 您没有允许访问
page-sign-in-refused-text = 没有共享任何内容。请回到另一个窗口重试，或选择其他服务商。您可以关闭此页面。
page-sign-in-failed-title = 服务商无法让您登录
page-sign-in-failed-text = 没有共享任何内容。请回到另一个窗口，那里会说明下一步。您可以关闭此页面。
page-sign-in-over-title = 此次登录已结束
page-sign-in-over-text = 它已完成或已重新开始。请回到另一个窗口查看情况。您可以关闭此页面。
page-sign-in-expired-title = 此次登录用时过长
page-sign-in-expired-text = 请回到另一个窗口，并在那里重新开始。
page-sign-in-browser-title = 此次登录是在另一个浏览器中开始的
page-sign-in-browser-text = 请回到您开始的窗口，并在同一浏览器中从那里打开服务商的页面。
page-sign-in-issuer-title = 该回复并非来自您的服务商
page-sign-in-issuer-text = 为了保护您，我们没有使用它。请回到另一个窗口，并在那里重新开始。
page-sign-in-unknown-title = 此地址无效
page-sign-in-unknown-text = 请回到另一个窗口，并在那里重新开始。

### A link site

page-site-unknown-title = 此页面不存在
page-site-unknown-text = 请检查网址，或询问提供网址的公司。
page-site-draft-title = 此页面尚未开放
page-site-draft-text = { $company } 还没有发布它。请稍后再试。
page-site-closed-title = 此页面已关闭
page-site-closed-text = { $company } 不再在这里接收回答。
page-site-full-title = 此页面已收满
page-site-full-text = { $company } 已收到所需的全部回答。
page-site-invited-title = 此页面需要邀请
page-site-invited-text = 请打开 { $company } 邮件中的链接。
page-site-redirect = 继续前往 { $company }

### 表单

page-form-title = 首先回答几个问题
page-form-wrong = 请更正下面标出的字段。
page-form-continue = 继续
page-form-choose = 请选择…
page-form-optional = （选填）
page-form-required = 此项为必填项。
page-form-long = 最多 { $count } 个字符。
page-form-email = 请输入邮箱地址，例如 name@example.com。
page-form-phone = 请输入带国家代码的电话号码。
page-form-date = 请输入日期，例如 1990-05-24。
page-form-choice = 请从选项中选择一个。
page-form-number = 必须是数字，例如 1250.50。
page-form-short = 至少需要 { $count } 个字符。
page-form-digits = 只能包含数字。
page-form-alphanumeric = 只能包含字母和数字。
page-form-curp = 必须是 CURP 的 18 位字母和数字。
page-form-more = 根据您的回答，还有其他问题。请一并回答。
page-form-retry = 请检查您的回答，然后再次按下按钮。
page-form-saved = 您填写时，{ $company } 会随时收到您的回答。5 小时内您可以返回此页面。
page-form-bait = 请将此栏留空

### The files of a form

page-file-rules = { $formats }，每个文件不超过 { $size } MB。
page-file-limit = 最多 { $count } 个文件。
page-file-remove = 移除 { $name }
page-file-failed = 无法发送。
page-file-empty = 此文件是空的。
page-file-large = 此文件超过 { $size } MB。
page-file-format = 此文件的格式不同。请添加以下格式之一：{ $formats }。
page-file-extra = 此文件除文档外还含有其他数据。请将其打印为新的 PDF，或重新拍照，然后添加新文件。
page-file-encrypted = 此文件有密码。请另存为无密码的文件，然后重新添加。
page-file-damaged = 此文件已损坏或不完整。请在您的设备上打开检查，然后重新添加。
page-file-pages = 此文件超过 30 页。请只添加重要的页面。
page-file-pixels = 此图片过大。请用较低的分辨率重新拍摄。
page-file-many = 没有空间容纳此文件。请先移除其他文件。
page-file-quota = 您的上传量已达上限。请明天再试。
page-file-mismatch = 此文件已更改或不存在。请移除后重新添加。

### 结束

page-done-linked = 您的账户已关联。
page-done-uploaded = 您的文件已上传。
page-done-both = 您的账户已关联，文件也已上传。
page-complete-known-title = 您已经完成了此操作
page-complete-known-linked = 您的账户已与 { $company } 关联。无需再做任何操作。
page-complete-known-uploaded = 您的文件已为 { $company } 上传。无需再做任何操作。
page-complete-title = 此邀请已完成
page-complete-linked = 已通过它关联了一个账户。如果邀请是发给您的，而这不是您本人所为，请告知 { $company }。
page-complete-uploaded = 已通过它上传了文件。如果邀请是发给您的，而这不是您本人所为，请告知 { $company }。

### 失败的请求

page-foreign-title = 此请求来自其他网站
page-foreign-text = 为了保护您，我们没有处理它。请打开邀请中的链接，并点击页面上的按钮。
page-busy-title = 请求过多
page-busy-text = 请过几秒再试。
page-failed-title = 出现问题
page-failed-text = 这不是您的问题，也没有丢失任何内容。请过一分钟再试。
page-suspended-title = 此页面暂时不可用
page-suspended-text = 请稍后再来。您填写的内容没有丢失。
page-retry = 重试

### 停止所有邮件

stop-title = 要停止向此邮箱发送所有邮件吗？
stop-text = 无论谁要求我们发送，您都不会再收到来自此服务的邮件。您已有的邀请仍然有效。您自己请求的验证码也不会送达。
stop-button = 停止向我的邮箱发送所有邮件
stop-abuse = 如需举报滥用，请写信至 { $address }。
stop-done-title = 已停止向您的邮箱发送邮件
stop-done-text = 我们不会再向它发送邮件。您可以关闭此页面。
stop-unknown-title = 此链接不完整
stop-unknown-text = 请将邮件中的完整链接复制到浏览器，或写信至邮件中给出的地址。

### 要求访客验证邮箱地址的页面，以及含有验证码的邮件

page-proof-title = 确认您的邮箱地址
page-proof-text = 继续之前，{ $company } 需要您的邮箱地址。我们会向该地址发送验证码。
page-proof-address = 邮箱地址
page-proof-send = 发送验证码
page-proof-code-title = 输入验证码
page-proof-code-text = 我们已向 { $address } 发送含有验证码的邮件。验证码 10 分钟内有效。如果没有看到邮件，请查看垃圾邮件文件夹。
page-proof-code = 6 位验证码
page-proof-again = 重新发送验证码
page-proof-correct = 使用其他地址
page-proof-digits = 请输入 6 位数字验证码。
page-proof-wrong = 这不是我们最新邮件中的验证码。请检查后重试。
page-proof-over = 此验证码已失效。请重新获取。
page-proof-soon = 我们在不到一分钟前发送了验证码。请等待一分钟后再获取。
page-proof-most = 我们已发送 4 个验证码，本次访问无法再发送。请输入最新邮件中的验证码，或在 10 分钟后重新开始。
page-proof-ended = 此验证码已失效，且我们已发送 4 个验证码。请重新开始。
page-proof-busy = 您的网络请求的验证码过多。请过几分钟再试。
page-proof-unavailable = 目前无法发送验证码。请明天再试。
page-proof-refused = 目前无法向此地址发送邮件。请检查地址，或使用其他地址。
proof-mail-subject = 您在 { $company } 的验证码
proof-mail-body = 请在 { $company } 的页面输入此验证码，以确认您的邮箱地址。
proof-mail-note = 验证码 10 分钟内有效，且仅在获取它的页面有效。请勿告诉他人。
proof-mail-reason = 有人在 { $company } 的页面上输入了您的地址。如果不是您本人，请忽略此邮件。

### A person's own page, and the mail with its link. They have no tenant

me-title = 您的数据
me-ask-text = 查看您通过 Linchpin 提供给公司的数据，下载副本，停止分享，或要求删除。我们会向您的邮箱发送链接。
me-ask-label = 收到邀请的邮箱地址
me-ask-button = 发送链接
me-ask-again = 获取链接
me-asked-title = 请查收邮件
me-asked-text = 如果我们保存了通过发送至此地址的链接所提供的数据，含有链接的邮件正在发送。链接只能使用一次，30 分钟内有效。已停止接收我们邮件的地址不会收到邮件。
me-open-title = 打开您的页面
me-open-text = 按下按钮后，您的数据会在此设备上显示 30 分钟。链接只能使用一次。
me-open-button = 显示我的数据
me-open-over = 链接已被使用或已过期。请获取新的链接。
me-over-title = 您的页面已关闭
me-over-text = 如需再次查看数据，请获取新的链接。
me-list-text = 这些数据是您通过发送至您邮箱的链接提供的。以其他方式提供的数据，请咨询相关公司。
me-list-empty = 我们没有您通过发送至您邮箱的链接提供的数据。
me-sandbox = 测试环境：这些不是真实数据。
me-given = 提供日期
me-until = 保存至
me-until-synced = 如未更新，保存至
me-unfinished = 未关联，删除日期
me-shared = 您分享的内容
me-form = 表单答案
me-consent = 您同意的文本
me-copy-json = 下载 JSON
me-copy-pdf = 下载 PDF
me-stop = 停止分享
me-erase = 删除
me-erase-all = 全部删除
me-leave = 退出
me-back = 返回您的数据
me-stop-title = 停止与 { $company } 分享？
me-erase-title = 删除您提供给 { $company } 的数据？
me-end-text = { $company } 不会再收到新数据，我们会删除所保存的数据。此操作无法撤销。
me-end-copies = { $company } 可能此前已复制数据。请要求 { $company } 删除其副本。
me-done-title = 您的数据已删除
me-done-text = { $company } 无法再在此处读取这些数据。
me-page-link = 查看或删除您提供的数据
me-mail-subject = 您的数据链接
me-mail-body = 打开您的页面，查看、下载您提供给公司的数据，或要求删除。链接只能使用一次，30 分钟内有效。
me-mail-reason = 有人在我们的页面上输入了您的地址。如果不是您本人，请忽略此邮件：只有此链接会显示数据。
portal-mail-subject = 登录开发者门户
portal-mail-body = 此链接可让您登录开发者门户一次，自请求起 10 分钟内有效。
portal-mail-several = 请选择开发者门户中的一个组织。您可以使用其中一个链接一次，自请求起 10 分钟内有效。
portal-mail-button = 登录 { $company }
portal-mail-reason = 有人在开发者门户的登录页面输入了您的地址。如果不是您本人操作，请忽略此邮件，也不要转发链接。
me-data-identities = 姓名和联系方式
me-data-documents = 文件及其内容
me-data-employments = 工作
me-data-incomes = 工资
me-data-transactions = 付款和交易
me-data-contributions = 基金缴款
me-data-liabilities = 贷款
me-data-eincomes = 月收入估算
me-data-ratings = 平台评分
me-data-links = 您关联此机构的时间
me-data-insights = 根据您的数据计算的指标
me-archive-payslip = 工资单
me-archive-tax = 税务文件
me-archive-company = 工作证
me-archive-identity = 身份证明
me-archive-clearance = 无犯罪记录证明
me-archive-certificate = 证明文件
me-archive-bank = 银行对账单

### 邀请邮件

mail-link = 此链接仅供您本人使用，且只能使用一次。
mail-copy = 如果按钮无法使用，请将此地址复制到浏览器：
mail-reason = { $company } 要求我们向您发送此邮件。
mail-stop = 停止向此邮箱发送我们的所有邮件
mail-abuse = 举报滥用：

### 新租户的邀请模板文本

default-subject = { $company } 请您关联一个账户
default-greeting = { $name }，您好：
default-body = { $company } 请您关联您在社会保障机构、雇主或您工作所用应用中的账户。只需几分钟，而且 { $company } 绝不会看到您的密码。
default-landing-header = { $name }，您好
default-landing-intro = { $company } 请您关联一个账户。
default-landing-text = 您选择机构，查看将读取哪些信息，并在那里登录。您可以随时撤回同意。
default-landing-button = 关联账户
default-success-header = 谢谢，{ $name }
default-success-text = 我们已通知 { $company }。您可以关闭此页面。
