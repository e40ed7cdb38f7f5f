# Simplified Chinese. The keys are those of en.ftl, grouped by screen.
# Style: 用“您”，平和、准确。先说发生了什么，再说下一步怎么做。不责备，不用感叹号。中文与西文、数字之间加空格。

### The frame around every screen

dialog-title = 关联账户
header-back = 返回
header-close = 关闭
header-sandbox = 测试环境
footer-password = { $company } 不会看到您的密码。
footer-consent = { $company } 只能看到您同意共享的内容。
help-link = 获取帮助（在新标签页中打开）

### Buttons used on several screens

action-retry = 重试
action-close = 关闭
action-done = 完成
action-choose-another = 选择其他机构
action-another-login = 使用其他登录信息
action-upload = 改为上传文件
action-more = 更多

### Starting

starting-title = 正在准备
starting-text = 正在打开安全会话，请稍候。
refused-title = 无法打开此链接
refused-text = 此链接已失效。请关闭此窗口，回到之前的页面重新开始。

### A request that failed

slow-title = 等待时间比平时长
slow-text = 我们仍在等待响应。您可以继续等待、重试或关闭此窗口。
offline-title = 您似乎已离线
offline-text = 我们无法连接到服务。请检查网络连接，然后重试。
unavailable-title = 服务没有响应
unavailable-text = 问题出在我们这边，您填写的内容没有丢失。请稍等片刻，然后重试。
trapped-title = 我们这边出现了问题
trapped-text = 请重试，从刚才的位置继续。
busy-title = 尝试过于频繁

### Consent

consent-title = 与 { $company } 共享您的数据
consent-intro = { $company } 使用 Linchpin 读取您所选账户中的数据。是否共享由您决定。
consent-data-title = 共享哪些内容
consent-data-text = 身份、工作和收入信息，以及机构保存的与您有关的文件。
consent-data-choice = 机构保存的与您有关的数据。您可以在下一页选择共享哪些。
consent-time-title = 读取频率和保留时间
consent-time-once = 您的数据只读取一次。数据会在您最后一次关联账户 60 天后删除。
consent-time-daily = 现在读取您的数据；如果机构允许，之后每天再次读取。数据会在您最后一次关联账户 60 天后删除。
consent-time-weekly = 现在读取您的数据；如果机构允许，之后每周再次读取。数据会在您最后一次关联账户 60 天后删除。
consent-time-monthly = 现在读取您的数据；如果机构允许，之后每月再次读取。数据会在您最后一次关联账户 60 天后删除。
consent-sync-once = 您的数据只读取一次。数据会在最后一次读取 60 天后删除。
consent-sync-daily = 现在读取您的数据；如果机构允许，之后每天再次读取。数据会在最后一次读取 60 天后删除。
consent-sync-weekly = 现在读取您的数据；如果机构允许，之后每周再次读取。数据会在最后一次读取 60 天后删除。
consent-sync-monthly = 现在读取您的数据；如果机构允许，之后每月再次读取。数据会在最后一次读取 60 天后删除。
consent-private-title = 哪些内容保密
consent-private-text = 您的密码。密码只会发送给您选择的机构；{ $company } 不会看到。
consent-stop-title = 如何停止共享
consent-stop-text = 您可以随时要求 { $company } 终止访问。届时您的数据将被删除。
consent-version = 版本 { $version }
consent-agree = 同意并继续
consent-choose = 选择要共享的内容
consent-changed = 您看到的条款已有变更。请重新阅读。
consent-decline = 暂不

### Choosing what to share

data-choice-title = 选择与 { $company } 共享的内容
data-choice-intro = 除了始终共享的内容，您可以拒绝其他所有内容，并且仍然可以关联账户。{ $company } 不会收到您拒绝的内容。
data-choice-required = 始终共享
data-choice-optional = 由您选择
data-choice-none = 您只共享始终共享的内容。
data-choice-some = 您还共享所选的内容：{ $total } 项中的 { $chosen } 项。
data-choice-uploads = 如果您上传文件，整个文件都会被共享。
data-identities = 姓名和联系方式
data-documents = 文件及其内容
data-employments = 工作
data-incomes = 工资
data-transactions = 付款和交易
data-contributions = 基金缴款
data-liabilities = 贷款
data-eincomes = 月收入估算
data-ratings = 平台评分
data-links = 您关联此机构的时间
data-insights = 根据您的数据计算的指标

### Providers

providers-title = 选择您的机构
providers-intro = 您要关联的账户在哪家机构？
providers-search = 搜索机构
providers-search-placeholder = 按名称搜索
providers-search-clear = 清除搜索内容
providers-tabs = 机构类型
providers-tab-all = 全部
providers-tab-government = 政府
providers-tab-employer = 雇主
providers-tab-gig = 零工平台
providers-tab-payroll = 薪资服务
providers-kind-government = 政府服务
providers-kind-employer = 雇主
providers-kind-gig = 零工平台
providers-kind-payroll = 薪资服务机构
providers-list-top = 常用
providers-list-all = 所有机构
providers-list-found = 符合条件的机构
providers-loading = 正在加载机构
providers-found = { $count ->
    [0] 未找到机构
   *[other] 找到 { $count } 家机构
}
providers-empty-title = 没有符合条件的机构
providers-empty-text = 请检查输入是否正确，或尝试更短的名称或其他机构类型。
providers-show-all = 显示所有机构
providers-none-title = 暂无机构
providers-none-text = { $company } 尚未设置可关联的机构。请关闭此窗口并告知对方。
providers-more = 显示更多
providers-missing = 没有我的机构
provider-away = 目前不可用
provider-loading = 正在打开 { $provider }
provider-missing-title = 此处无法关联该机构
provider-missing-text = 该机构已不再提供。请选择其他机构，或关闭此窗口。

### Ways to sign in

login-options-title = 您如何登录 { $provider }？
login-options-list = 登录方式

### Login

login-title = 登录 { $provider }
login-intro = 请使用您在 { $provider } 网站上的登录信息。
login-none-title = 关联 { $provider }
login-none-text = { $provider } 无需登录。继续即可共享您的数据。
login-submit = 关联
login-submitting = 正在关联
password-show = 显示密码
password-hide = 隐藏密码
password-caps-lock = 大写锁定已开启
field-optional = 选填
field-choose = 请选择
field-empty = 请填写此项以继续。
field-empty-choice = 请选择一项以继续。
field-too-short = { $min ->
   *[other] 请至少输入 { $min } 个字符。
}
field-too-long = { $max ->
   *[other] 请最多输入 { $max } 个字符。
}
field-digits = 只能使用数字。
field-alphanumeric = 只能使用字母和数字。
field-email = 请输入电子邮箱地址，例如 name@example.com。
field-phone = 请输入带国家代码的电话号码，例如 +52 55 1234 5678。
field-curp = 请输入证明文件上的 CURP，共 18 位字母和数字。
field-date = 请输入真实存在的日期，包含年、月、日。
field-choice = 请选择列表中的一项。
field-refused = { $provider } 不接受此内容。请检查后重试。
field-space = 开头或结尾有空格。如果不需要，请删除。
form-errors = { $count ->
   *[other] 有 { $count } 项需要您检查。
}
login-again = 请再次输入密码。为了您的安全，我们没有保存密码。
login-restarted-title = 此页面已重新启动
login-restarted-text = 我们这边出现了问题。除密码外，您输入的内容仍然保留。请检查后再次点击“关联”。
login-not-sent-title = 我们没有收到您的信息
login-not-sent-text = 连接已中断。请检查网络连接，然后再次点击“关联”。
login-renewed-title = 您的会话已更新
login-renewed-text = 您填写的内容尚未发送。请点击“关联”立即发送。
login-other-title = 这是另一个账户
login-other-text = 请使用您之前关联的账户登录 { $provider }。没有任何信息发送给 { $provider }。
login-limit-title = 登录尝试次数过多
login-wait = { $seconds ->
   *[other] { $seconds } 秒后可以重试。
}
login-wait-minutes = { $minutes ->
   *[other] { $minutes } 分钟后可以重试。
}
login-wait-hours = { $hours ->
   *[other] { $hours } 小时后可以重试。
}

### Connecting

connecting-title = 正在连接 { $provider }
connecting-text = 通常不到一分钟。请不要关闭此窗口。
connecting-slow = { $provider } 的响应比平时慢。我们仍在等待。
connecting-stage-sent = 信息已安全发送
connecting-stage-login = 正在登录 { $provider }
connecting-stage-answer = 正在核对您的回答
connecting-stage-finish = 正在确认关联
connecting-lost-title = 连接已中断
connecting-lost-text = 我们无法连接到服务，正在不断重试。您无需进行任何操作。

### Confirming that it is you

challenge-code-title = 输入验证码
challenge-code-sms = { $provider } 已通过短信发送验证码，一分钟内应会收到。
challenge-code-sms-to = { $provider } 已通过短信将验证码发送至 { $destination }。
challenge-code-email = { $provider } 已将验证码发送到您的电子邮箱。请同时查看垃圾邮件文件夹。
challenge-code-email-to = { $provider } 已将验证码发送至 { $destination }。请同时查看垃圾邮件文件夹。
challenge-code-voice = { $provider } 正在致电告知您验证码。
challenge-code-voice-to = { $provider } 正在致电 { $destination } 告知验证码。
challenge-code-app = 打开您的身份验证器应用，输入其中为 { $provider } 显示的验证码。
challenge-code-label = 验证码
challenge-code-help = 验证码共 { $length } 个字符，全部输入后会自动提交。
challenge-choice-title = 确认是您本人
challenge-choice-text = { $provider } 请您选择一个答案。
challenge-choice-missing = 请选择一个答案以继续。
challenge-image-title = 输入您看到的内容
challenge-image-text = { $provider } 显示一张图片，以确认您是真人。
challenge-image-alt = { $provider } 绘制的字母或数字
challenge-image-label = 图片中的字符
challenge-listen = 改为听录音
challenge-listen-stop = 停止播放
challenge-listen-again = 再听一次
challenge-listening = 正在播放录音。
challenge-listen-ended = 录音已播放完毕。请输入您听到的内容。
challenge-listen-failed = 无法播放录音。请重试，或输入图片中的字符。
challenge-question-title = 回答安全问题
challenge-question-text = { $provider } 提出了您在那里设置的问题。
challenge-approve-title = 在手机上批准
challenge-approve-text = { $provider } 已向其应用发送请求。请打开应用并批准。
challenge-approve-on = { $provider } 已向 { $device } 发送请求。请在该设备上打开并批准。
challenge-email-link-title = 打开邮件中的链接
challenge-email-link-text = { $provider } 已向您发送一封含链接的邮件。请同时查看垃圾邮件文件夹。
challenge-email-link-to = { $provider } 已将链接发送至 { $destination }。请同时查看垃圾邮件文件夹。
challenge-redirect-title = 在服务商的页面上登录
challenge-redirect-text = { $provider } 会在另一个标签页中打开。请在那里登录，然后回到这里。
challenge-redirect-here = { $provider } 会在此页面中打开。请在那里登录，之后会回到这里。
challenge-redirect-open = 前往 { $provider }
challenge-redirect-left = 请在另一个标签页中完成 { $provider } 的登录。如果已关闭，请重新开始。
challenge-redirect-again = 重新开始
challenge-redirect-nothing = 尚未收到 { $provider } 的回复。请在另一个标签页中完成，或重新开始。
challenge-waiting = 完成后，此页面会自动继续。
challenge-time-left = 剩余时间：{ $time }
challenge-time-low = 剩余时间：{ $time }。您可以申请延长时间。
challenge-time-both = 剩余时间：{ $time }。{ $seconds } 秒后可以重新发送。
challenge-extend = 我需要更多时间
challenge-extended = 时间已延长。
challenge-resend = 重新发送
challenge-resend-wait = { $seconds } 秒后可重新发送
challenge-resent = 已重新发送。
challenge-by-sms = 通过短信发送
challenge-by-email = 通过邮件发送
challenge-by-voice = 通过来电告知
challenge-by-app = 使用身份验证器应用
challenge-picture = 换一张图片
challenge-picture-new = 已换成另一张图片。
challenge-wrong = 回答不正确。请检查您的回答，然后重新输入。
challenge-wrong-choice = 回答不正确。请选择其他答案。
challenge-wrong-left = { $left ->
    [1] 回答不正确。这是最后一次机会。
   *[other] 回答不正确。您还有 { $left } 次机会。
}
challenge-not-sent-title = 我们没有收到您的回答
challenge-not-sent-text = 连接已中断。请检查网络连接，然后重新输入您的回答。
challenge-submit = 继续
challenge-checking = 正在核对
challenge-unsupported-title = 我们无法显示此项验证
challenge-unsupported-text = { $provider } 要求的验证方式此窗口尚不支持。没有共享任何内容。
challenge-unsupported-next = 请在 { $provider } 的设置中更改验证方式，或关联其他机构。

### Success

success-title = 关联成功
success-text = { $provider } 现已与 { $company } 关联。
success-next = 我们正在后台获取您的数据。您可以关闭此窗口。
success-another = 关联其他账户

### Why it failed: the error codes of the interface, and one for any other

error-account-disabled-title = 此账户已停用
error-account-disabled-cause = { $provider } 已停用此账户，因此无法关联。
error-account-disabled-next = 请联系 { $provider } 启用账户，然后重新关联。
error-account-inaccessible-title = 无法打开此账户
error-account-inaccessible-cause = 登录成功，但 { $provider } 目前不允许我们进入该账户。
error-account-inaccessible-next = 请登录 { $provider } 网站，查看是否有待处理的事项，然后重试。
error-account-incomplete-title = 您的账户尚未设置完成
error-account-incomplete-cause = { $provider } 表示您的注册还有步骤未完成。
error-account-incomplete-next = 请在 { $provider } 网站上完善资料，然后重新关联。
error-account-locked-title = 此账户已锁定
error-account-locked-cause = { $provider } 锁定了此账户，通常是因为多次输错密码。
error-account-locked-next = 请先在 { $provider } 网站上解锁。在此继续尝试可能会延长锁定时间。
error-auth-required-title = 没有收到您的登录信息
error-auth-required-cause = { $provider } 没有收到我们发送的用户名和密码。
error-auth-required-next = 请再填写一次您的信息。
error-expired-credentials-title = 您的密码已过期
error-expired-credentials-cause = { $provider } 要求您先设置新密码再登录。
error-expired-credentials-next = 请在 { $provider } 网站上更改密码，然后用新密码关联。
error-invalid-account-type-title = 此类账户无法关联
error-invalid-account-type-cause = { $provider } 可以识别您，但此类账户没有所需的数据。
error-invalid-account-type-next = 如果您在 { $provider } 有其他账户，请使用那个账户。
error-invalid-auth-title = 登录未完成
error-invalid-auth-cause = { $provider } 核实您的身份时出现故障。您的密码可能是正确的。
error-invalid-auth-next = 请再试一次。如果问题再次出现，请联系 { $company } 的客服。
error-invalid-credentials-title = 登录信息不匹配
error-invalid-credentials-cause = { $provider } 不接受此用户名和密码的组合。
error-invalid-credentials-next = 请检查拼写和大小写，然后重试。
error-invalid-mfa-title = 验证码错误次数过多
error-invalid-mfa-cause = { $provider } 没有接受您用于确认身份的回答。
error-invalid-mfa-next = 请重新登录以获取新的验证码，并且只使用最新的一个。
error-declined-title = 请求已被拒绝
error-declined-cause = 有人拒绝了 { $provider } 为确认您的身份而发送的请求。未共享任何数据。
error-declined-next = 如果是您误操作，请重新登录并批准新的请求。
error-mfa-timeout-title = 时间已到
error-mfa-timeout-cause = { $provider } 等待您确认身份，但已超时。
error-mfa-timeout-next = 请重新登录，并准备好手机或电子邮箱。
error-service-unavailable-title = 机构没有响应
error-service-unavailable-cause = { $provider } 目前出现故障或正在维护。您的信息没有问题。
error-service-unavailable-next = 请过几分钟再试，或稍后再来。
error-system-error-title = 我们这边出现问题
error-system-error-cause = 与 { $provider } 的连接失败，这不是您的原因。没有共享任何内容。
error-system-error-next = 请重试。如果问题再次出现，请联系 { $company } 的客服。
error-tos-required-title = 需要先接受新条款
error-tos-required-cause = 您需要先接受 { $provider } 的服务条款，其他方才能代您登录。
error-tos-required-next = 请登录 { $provider } 网站并接受条款，然后重新关联。
error-unsupported-auth-type-title = 不支持此登录方式
error-unsupported-auth-type-cause = 您在 { $provider } 的账户使用了我们无法完成的登录方式，例如通过其他公司登录。
error-unsupported-auth-type-next = 如果有其他登录方式，请使用其他方式，或选择其他机构。
error-unsupported-mfa-method-title = 不支持此验证方式
error-unsupported-mfa-method-cause = { $provider } 使用了我们无法完成的验证方式，例如安全密钥。
error-unsupported-mfa-method-next = 请在 { $provider } 的设置中改用短信或邮件验证码，然后重新关联。
error-unknown-title = 无法关联您的账户
error-unknown-cause = { $provider } 报告了一个我们尚不了解的问题。没有共享任何内容。
error-unknown-next = 请稍后重试。如果问题再次出现，请联系 { $company } 的客服。
error-try-again = 重新填写信息

### The session ended

expired-title = 您的会话已结束
expired-text = 为了您的安全，会话有时间限制。我们正在请 { $company } 继续会话；您输入的内容会保留。
expired-renewing-title = 正在从上次的位置继续
expired-renewing-text = 正在打开新的安全会话。您输入的内容会保留。
expired-start-title = 此链接已过期
expired-start-text = 链接只能使用一次，且有效时间很短。如果之前的页面没有自动继续，请关闭此窗口并重新开始。
expired-mismatch-title = 我们必须在此停止
expired-mismatch-text = 新会话属于其他人或其他页面。为保护您的数据，我们已清除所有内容。请关闭此窗口并重新开始。

### Leave?

leave-title = 要在完成前离开吗？
leave-typed = 您输入的内容将被清除。
leave-connecting = 您的账户尚未关联。如果现在离开，可能需要重新开始。
leave-stay = 留在此处
leave-leave = 离开

### Already linked

accounts-title = 您已关联的账户
accounts-loading = 正在加载您的账户
accounts-uploads = 您的文件
accounts-none = 目前没有关联任何账户。
accounts-back = 返回账户列表
account-title = 您在 { $provider } 的账户
account-action = 重新登录以保持数据更新
account-action-text = { $provider } 要求您重新登录，之后才能读取新数据。
account-nothing = 您无需进行任何操作。在访问权限到期或您解除关联之前，{ $company } 将保留您同意的访问权限。
account-sign-in = 重新登录
account-reading = 正在读取
account-unread = 无法读取
account-synced = { $days ->
    [0] 今天更新
    [1] 昨天更新
   *[other] { $days } 天前更新
}
account-added = { $days ->
    [0] 今天添加
    [1] 昨天添加
   *[other] { $days } 天前添加
}
account-missing-title = 此账户不在这里
account-missing-text = 此账户已解除关联，或属于其他人。您现在可以关联一个账户。
revoke-title = 解除与 { $provider } 的关联？
revoke-text = { $company } 将无法再访问您在 { $provider } 的账户，从中读取的数据将被删除。您以后可以重新关联。
revoke-upload-title = 移除此文件？
revoke-upload-text = { $company } 将无法再访问此文件，其内容和从中读取的数据将被删除。
revoke-disconnect = 解除关联
revoke-remove = 移除
revoke-keep = 保留
revoke-busy = 正在取消访问权限
revoke-done = 访问权限已取消，数据正在删除。

### Can’t find it

survey-title = 告诉我们缺少哪家机构
survey-text = 我们会记录大家查找的雇主和机构，并陆续添加。
survey-label = 雇主或机构
survey-submit = 发送
survey-thanks-title = 谢谢，我们已记录
survey-thanks-text = 该机构目前还不能关联。您可以选择其他机构。
survey-thanks-upload = 该机构目前还不能关联。您可以改为上传文件。

### Documents

uploads-title = 上传文件
uploads-text = 您想向 { $company } 提供什么文件？
uploads-list = 文件类型
archive-payslip = 工资单
archive-payslip-hint = 最近一份，包含所有页面。
archive-tax = 税务文件
archive-tax-hint = 最近一次的报税表或年度证明。
archive-company = 工作证
archive-company-hint = 您的员工证，正反两面。
archive-identity = 身份证明
archive-identity-hint = 护照、身份证或驾驶证。
archive-clearance = 无犯罪记录证明
archive-clearance-hint = 由警方、法院或雇主出具。
archive-certificate = 证明文件
archive-certificate-hint = 有关您的工作或缴费情况。
archive-bank = 银行对账单
archive-bank-hint = 最近一个完整月份，包含所有页面。
upload-rules = PDF、JPEG、HEIC、PNG 或 TIFF，每个最大 15 MB。
upload-rules-pages = 最多 { $limit } 个文件：PDF、JPEG、HEIC、PNG 或 TIFF，每个最大 15 MB。
upload-front = 正面
upload-back = 背面
upload-back-text = 护照无需背面。
upload-pages = 添加文件
upload-pages-text = 在此选择、拖放或粘贴。
upload-again = 再次选择未完成的文件即可继续，只会发送缺少的部分。
upload-choose = 选择文件
upload-camera = 拍照
upload-files = 您选择的文件
upload-looking = 正在检查
upload-missing = 之前已发送 { $percent }%
upload-waiting = 等待中
upload-offline = 没有网络连接。您的文件会自动继续上传。
upload-online = 网络连接已恢复。
upload-sending = { $percent }%，共 { $size } MB
upload-retrying = 连接中断，正在重试。
upload-paused = 已暂停，完成 { $percent }%
upload-stuck = 无法发送。
upload-sent = 已上传，{ $size } MB
upload-refused = 未添加，{ $size } MB
upload-removing = 正在移除
upload-announce = { $name }：已上传 { $percent }%
upload-pause = 暂停 { $name }
upload-continue = 继续 { $name }
upload-remove = 移除 { $name }
upload-surplus = 已添加 { $offered } 个文件中的 { $added } 个。上限为 { $limit } 个。
upload-clear = 移除未添加的文件
upload-summary = { $files ->
   *[other] { $files } 个文件，{ $size } MB，可以提交
}
upload-submit = 提交
upload-loss = 您上传的文件尚未提交。如果现在离开，需要重新选择文件。
file-duplicate = 您已添加过此文件。
file-empty = 此文件是空的。
file-too-large = 此文件超过 15 MB。请缩小文件，或为每一页拍照。
file-unsupported = 无法读取此文件。请将其另存或打印为 PDF，或截取屏幕截图，然后添加新文件。支持 PDF、JPEG、HEIC、PNG 和 TIFF。
file-extra = 此文件除文档外还含有其他数据。请将其打印为新的 PDF，或重新拍照，然后添加新文件。
file-encrypted = 此文件有密码。请另存为无密码的文件，然后重新添加。
file-damaged = 此文件已损坏或不完整。请在您的设备上打开检查，然后重新添加。
file-too-many-pages = 此文件超过 30 页。请只添加重要的页面。
file-too-many-pixels = 此图片过大。请用较低的分辨率重新拍摄。
file-too-many = 没有空间容纳此文件。请先移除其他文件。
file-quota = 您的上传量已达上限。请明天再试。
file-mismatch = 此文件已更改或不存在。请移除后重新添加。
upload-remove-title = 移除此次上传？
upload-remove-text = 您添加的文件将被删除。没有提交任何内容。
upload-remove-yes = 移除
upload-remove-no = 保留
photo-title = 查看照片
photo-text = 每个字都能看清吗？整页都在照片里吗？
photo-blurred = 这张照片看起来模糊。如果看不清小字，请拿稳后重新拍摄。
photo-dark = 这张照片偏暗。请在更亮的地方重新拍摄，避免纸上有阴影。
photo-alt = 照片 { $name }
photo-turn = 旋转
photo-frame = 裁剪
photo-use = 使用这张照片
photo-retake = 移除并重拍
photo-discard = 移除
photo-frame-title = 裁剪照片
photo-frame-text = 将边框拖到纸张的边缘。
photo-left = 左边框
photo-top = 上边框
photo-right = 右边框
photo-bottom = 下边框
photo-crop = 裁剪
photo-unframe = 取消
photo-waiting = 等待您查看
photo-help = 将纸张平放在光线充足的地方，并把整页拍进照片。
reading-title = 正在读取您的文件
reading-text = 通常不到一分钟。您可以关闭此窗口，读取会继续进行。
reading-received = 已收到文件
reading-queued = 正在排队
reading-pages = 正在读取页面
reading-checked = 正在核对结果
archive-read-title = 您的文件已读取
archive-read-text = { $company } 现在可以使用其中的数据。
archive-another = 上传其他文件
archive-unrecognized-title = 我们无法读取此文件
archive-unrecognized-next = 请重新拍照：文件平整、光线充足、没有反光、四角完整。签发方提供的 PDF 效果最好。
archive-unknown-title = 我们不认识这类文件
archive-unknown-next = 文字可以读取，但看起来不是所需的文件。请确认文件完整，或上传其他文件。
archive-people-title = 这些文件属于多个人
archive-people-next = 请只上传一个人的文件：您本人的。
archive-form-title = 无法读取此表单
archive-form-next = 填写的内容不在页面中。请打开它，选择“打印”并另存为 PDF，然后上传新文件。
archive-portfolio-title = 此 PDF 中包含其他文件
archive-portfolio-next = 请打开它，将所需的文件单独保存，然后上传。
archive-chosen = 您选择的类型
archive-wrong-title = 这似乎是另一类文件
archive-wrong-next = 请选择正确的类型，或上传所需的文件。
archive-unreadable-title = 有文件无法打开
archive-unreadable-next = 文件已损坏或有密码。请另存为无密码的文件，然后上传。
archive-away-title = 目前无法读取
archive-away-next = 您的文件没有问题。请过几分钟再试。
archive-fault-title = 我们的系统出现问题
archive-fault-next = 您的文件没有问题。请重新上传。
archive-again = 重新上传
archive-other = 选择其他类型

### On the phone

handoff-offer = 在手机上继续
handoff-title = 在手机上继续
handoff-scan = 请用手机相机对准此二维码，然后打开显示的页面。
handoff-once = 此二维码只能使用一次，10 分钟内有效。请勿给他人看：对方可以代替您继续。
handoff-alt = 在手机上打开此步骤的二维码
handoff-here = 改为在此继续
handoff-again = 显示新的二维码
handoff-continued-title = 您正在手机上继续
handoff-continued-text = 请保持此页面打开。您在手机上完成后，此页面会自动继续。
handoff-continued-warning = 不是您本人？请选择“改为在此继续”，另一台设备将无法再进行任何操作。
handoff-expired-title = 二维码已过期
handoff-expired-text = 内容没有丢失。请显示新的二维码，或在此继续。
handoff-left-title = 您已离开手机上的页面
handoff-left-text = 已发送的内容会保留。请显示新的二维码，或在此继续。
handoff-arrival-title = 在此手机上继续
handoff-arrival-text = 您将在此继续您在电脑上与 { $company } 开始的步骤。
handoff-arrival-warning = 仅当二维码是您从自己的屏幕上扫描时才继续。如果是他人发给您的，请关闭此页面：对方会得到您输入的内容。
handoff-continue = 继续
handoff-done-title = 手机上的步骤已完成
handoff-done-text = 请回到电脑，那里会继续。
handoff-back-title = 请在电脑上继续
handoff-back-text = 电脑上会显示下一步。您可以关闭此页面。
handoff-dead-title = 此二维码已失效
handoff-dead-text = 二维码只能使用一次，10 分钟内有效。请在电脑上显示新的二维码并扫描。
