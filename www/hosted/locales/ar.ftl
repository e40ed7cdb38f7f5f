# Modern Standard Arabic. The keys are those of en.ftl. Conventions: docs/reference/languages.md.

### كل صفحات الدعوة

page-footer = تستخدم { $company } خدمة Linchpin لقراءة الحسابات بموافقتك. لا تُرسل كلمة مرورك إلا إلى الجهة التي تختارها.

### الرابط في الرسالة

page-link-unknown-title = هذا الرابط غير صالح
page-link-unknown-text = ربما حلّ محله رابط أحدث، أو سُحبت الدعوة. ابحث عن أحدث رسالة من الشركة التي دعتك.
page-link-used-title = سبق استخدام هذا الرابط
page-link-used-text = يعمل كل رابط مرة واحدة فقط. يمكننا إرسال رابط جديد إلى العنوان نفسه.
page-link-expired-title = انتهت صلاحية هذا الرابط
page-link-expired-text = كان صالحًا لمدة { $days ->
    [one] يوم واحد
    [two] يومين
    [few] { $days } أيام
    [many] { $days } يومًا
   *[other] { $days } يوم
}. يمكننا إرسال رابط جديد إلى العنوان نفسه.
page-link-again = إرسال رابط جديد إليّ
page-link-sent-title = رابط جديد في الطريق إليك
page-link-sent-text = نرسله إلى العنوان نفسه الذي أُرسل إليه الرابط الأول. يمكنك إغلاق هذه الصفحة.
page-link-early-title = أرسلنا إليك رسالة قبل أقل من دقيقة
page-link-early-text = انتظر دقيقة حتى تصل. إذا لم تصل، فاطلب رسالة أخرى.
page-link-ended-title = انتهت هذه الدعوة
page-link-ended-text = لا يمكننا إرسال رابط آخر لها. اطلب من { $company } دعوة جديدة.

### الزيارة

page-visit-over-title = انتهت زيارتك
page-visit-over-text = افتح رابطك مرة أخرى. إذا سبق استخدامه، فستوضح لك الصفحة كيفية الحصول على رابط جديد.
page-widget-opening = يجري فتح نافذة ربط حسابك.
page-widget-script = يتطلب ربط الحساب JavaScript. فعّله لهذه الصفحة.
page-widget-closed = أغلقت النافذة قبل ربط حساب. يمكنك المتابعة من حيث توقفت.
page-widget-limited = فُتحت هذه الصفحة مرات كثيرة اليوم. حاول مرة أخرى لاحقًا.
page-widget-broken = حدث خطأ. أعد تحميل هذه الصفحة.

### A hosted link

page-hosted-used-text = يعمل كل رابط مرة واحدة، في المتصفح الذي فتحه أولًا. تابع هناك، أو اطلب رابطًا جديدًا من { $company }.
page-hosted-expired-text = اطلب رابطًا جديدًا من { $company }. لن يضيع أي شيء ربطته من قبل.

### The phone

page-phone-title = تابع على هاتفك
page-phone-opening = جارٍ تحميل الصفحة.
page-phone-script = تتطلب هذه الصفحة JavaScript. يُرجى تفعيلها.
page-phone-scan = اعرض الرمز على حاسوبك وامسحه مجددًا.
page-phone-done = يمكنك إغلاق هذه الصفحة.
page-phone-broken = حدث خطأ ما. اعرض رمزًا جديدًا على حاسوبك وامسحه.
page-phone-unknown-title = هذا الرمز غير صالح

### The login on a provider’s page

page-sign-in-ask-title = هل تريد تسجيل الدخول إلى { $provider }؟
page-sign-in-ask-text = يطلب منك { $company } تسجيل الدخول في صفحة المزوّد، ثم يتلقى بيانات من حسابك.
page-sign-in-ask-warning = تابع فقط إذا بدأت ذلك بنفسك. إذا أرسل إليك شخص ما هذا العنوان فأغلق هذه الصفحة، وإلا حصل على بياناتك.
page-sign-in-ask-button = المتابعة إلى { $provider }
page-sign-in-here = المتابعة في هذه النافذة
page-sign-in-here-text = تابِع لمعرفة حالة تسجيل الدخول. يمكنك البدء من جديد هناك.
page-sign-in-received-title = يمكنك العودة الآن
page-sign-in-received-text = عُد إلى النافذة الأخرى، حيث تستمر العملية تلقائيًا. يمكنك إغلاق هذه الصفحة.
page-sign-in-refused-title = لم تسمح بالوصول
page-sign-in-refused-text = لم تتم مشاركة أي شيء. عُد إلى النافذة الأخرى للمحاولة مجددًا أو لاختيار مزوّد آخر. يمكنك إغلاق هذه الصفحة.
page-sign-in-failed-title = تعذّر على المزوّد تسجيل دخولك
page-sign-in-failed-text = لم تتم مشاركة أي شيء. عُد إلى النافذة الأخرى التي تبيّن الخطوة التالية. يمكنك إغلاق هذه الصفحة.
page-sign-in-over-title = انتهى تسجيل الدخول هذا
page-sign-in-over-text = لقد اكتمل أو بدأ من جديد. عُد إلى النافذة الأخرى لمعرفة وضعه. يمكنك إغلاق هذه الصفحة.
page-sign-in-expired-title = استغرق تسجيل الدخول هذا وقتًا طويلًا
page-sign-in-expired-text = عُد إلى النافذة الأخرى وابدأ من جديد هناك.
page-sign-in-browser-title = بدأ تسجيل الدخول هذا في متصفح آخر
page-sign-in-browser-text = عُد إلى النافذة التي بدأت فيها، وافتح صفحة المزوّد من هناك في المتصفح نفسه.
page-sign-in-issuer-title = لم يأتِ الرد من مزوّدك
page-sign-in-issuer-text = لحمايتك، لم نستخدمه. عُد إلى النافذة الأخرى وابدأ من جديد هناك.
page-sign-in-unknown-title = هذا العنوان غير صالح
page-sign-in-unknown-text = عُد إلى النافذة الأخرى وابدأ من جديد هناك.

### A link site

page-site-unknown-title = هذه الصفحة غير موجودة
page-site-unknown-text = تحقق من العنوان، أو اسأل الشركة التي أعطتك إياه.
page-site-draft-title = هذه الصفحة ليست مفتوحة بعد
page-site-draft-text = لم تنشرها { $company } بعد. يُرجى المحاولة لاحقًا.
page-site-closed-title = هذه الصفحة مغلقة
page-site-closed-text = لم تعد { $company } تستقبل إجابات هنا.
page-site-full-title = هذه الصفحة مكتملة
page-site-full-text = استلمت { $company } كل الإجابات التي طلبتها.
page-site-invited-title = هذه الصفحة تتطلب دعوة
page-site-invited-text = افتح الرابط في رسالة البريد من { $company }.
page-site-redirect = المتابعة إلى { $company }

### النموذج

page-form-title = بضعة أسئلة أولًا
page-form-wrong = صحّح الحقول المحددة أدناه.
page-form-continue = متابعة
page-form-choose = اختر…
page-form-optional = (اختياري)
page-form-required = هذا الحقل مطلوب.
page-form-long = الحد الأقصى { $count ->
    [one] حرف واحد
    [two] حرفان
    [few] { $count } أحرف
    [many] { $count } حرفًا
   *[other] { $count } حرف
}.
page-form-email = أدخل عنوان بريد إلكتروني، مثل { "\u2066" }name@example.com{ "\u2069" }.
page-form-phone = أدخل رقم هاتف مع رمز البلد.
page-form-date = أدخل تاريخًا، مثل { "\u2066" }1990-05-24{ "\u2069" }.
page-form-choice = اختر أحد الخيارات.
page-form-number = يجب أن يكون رقمًا، مثل 1250.50.
page-form-short = يجب ألا يقل هذا عن { $count ->
    [one] حرف واحد
    [two] حرفين
    [few] { $count } أحرف
    [many] { $count } حرفًا
   *[other] { $count } حرف
}.
page-form-digits = يجب أن يحتوي على أرقام فقط.
page-form-alphanumeric = يجب أن يحتوي على أحرف لاتينية وأرقام فقط.
page-form-curp = يجب أن يكون 18 حرفًا ورقمًا من CURP.
page-form-more = إجاباتك تؤدي إلى أسئلة أخرى. يُرجى الإجابة عنها أيضًا.
page-form-retry = راجع إجاباتك، ثم اضغط الزر مرة أخرى.
page-form-saved = تتلقى { $company } إجاباتك أثناء كتابتها. يمكنك العودة إلى هذه الصفحة خلال 5 ساعات.
page-form-bait = اترك هذا الحقل فارغًا

### The files of a form

page-file-rules = { $formats }، حتى { $size } ميغابايت لكل ملف.
page-file-limit = الحد الأقصى للملفات: { $count }.
page-file-remove = إزالة { $name }
page-file-failed = تعذر إرساله.
page-file-empty = هذا الملف فارغ.
page-file-large = هذا الملف أكبر من { $size } ميغابايت.
page-file-format = هذا الملف بصيغة أخرى. أضف ملفًا بإحدى هذه الصيغ: { $formats }.
page-file-extra = يحتوي هذا الملف على بيانات أخرى غير المستند. اطبعه إلى ملف PDF جديد أو التقط صورة جديدة، ثم أضف الملف الجديد.
page-file-encrypted = هذا الملف محمي بكلمة مرور. احفظه بدونها وأضفه مرة أخرى.
page-file-damaged = هذا الملف تالف أو غير مكتمل. افتحه على جهازك للتحقق منه، ثم أضفه مرة أخرى.
page-file-pages = يحتوي هذا الملف على أكثر من 30 صفحة. أضف الصفحات المهمة فقط.
page-file-pixels = هذه الصورة كبيرة جدًا. التقطها مرة أخرى بدقة أقل.
page-file-many = لا مكان لهذا الملف. أزل ملفًا آخر أولًا.
page-file-quota = بلغت الحد المسموح به من التحميل. حاول مرة أخرى غدًا.
page-file-mismatch = تغيّر هذا الملف أو لم يعد موجودًا. أزله وأضفه مرة أخرى.

### النهاية

page-done-linked = حسابك مرتبط الآن.
page-done-uploaded = رُفعت مستنداتك.
page-done-both = حسابك مرتبط الآن، ورُفعت مستنداتك.
page-complete-known-title = لقد أنجزت هذا من قبل
page-complete-known-linked = حسابك مرتبط مع { $company }. لم يبقَ شيء تفعله.
page-complete-known-uploaded = رُفعت مستنداتك من أجل { $company }. لم يبقَ شيء تفعله.
page-complete-title = اكتملت هذه الدعوة
page-complete-linked = رُبط حساب بواسطتها. إذا أُرسلت إليك ولم تفعل ذلك بنفسك، فأبلغ { $company }.
page-complete-uploaded = رُفعت مستندات بواسطتها. إذا أُرسلت إليك ولم تفعل ذلك بنفسك، فأبلغ { $company }.

### طلبات لم تنجح

page-foreign-title = جاء هذا الطلب من موقع آخر
page-foreign-text = لحمايتك لم نعالجه. افتح الرابط في دعوتك واضغط الزر هناك.
page-busy-title = طلبات كثيرة جدًا
page-busy-text = حاول مرة أخرى بعد بضع ثوانٍ.
page-failed-title = حدث خطأ
page-failed-text = ليس هذا خطأك، ولم يضِع شيء. حاول مرة أخرى بعد دقيقة.
page-suspended-title = هذه الصفحة غير متاحة الآن
page-suspended-text = يُرجى العودة لاحقًا. لم يضِع شيء مما أدخلته.
page-retry = إعادة المحاولة

### إيقاف كل الرسائل

stop-title = هل تريد إيقاف كل الرسائل إلى هذا العنوان؟
stop-text = لن تتلقى أي رسالة أخرى من هذه الخدمة، أيًا كان من يطلب منا إرسالها. تظل الدعوات التي لديك صالحة. ولن تصلك أيضًا الرموز التي تطلبها بنفسك.
stop-button = إيقاف كل الرسائل إلى عنواني
stop-abuse = للإبلاغ عن إساءة استخدام، راسل { $address }.
stop-done-title = أُوقفت الرسائل إلى عنوانك
stop-done-text = لن نرسل إليه أي رسالة أخرى. يمكنك إغلاق هذه الصفحة.
stop-unknown-title = هذا الرابط غير مكتمل
stop-unknown-text = انسخ الرابط الكامل من الرسالة إلى متصفحك، أو راسل العنوان المذكور في الرسالة.

### الصفحات التي تطلب إثبات عنوان بريد إلكتروني، والرسالة التي فيها الرمز

page-proof-title = أكّد عنوان بريدك الإلكتروني
page-proof-text = تطلب { $company } عنوان بريدك الإلكتروني قبل المتابعة. نرسل إليه رمزًا.
page-proof-address = عنوان البريد الإلكتروني
page-proof-send = أرسلوا إليّ رمزًا
page-proof-code-title = أدخل الرمز
page-proof-code-text = أرسلنا رسالة فيها رمز إلى { $address }. يعمل الرمز لمدة 10 دقائق. إذا لم تجد الرسالة، فابحث في مجلد الرسائل غير المرغوب فيها.
page-proof-code = رمز من 6 أرقام
page-proof-again = إرسال رمز آخر
page-proof-correct = استخدام عنوان آخر
page-proof-digits = أدخل أرقام الرمز الستة.
page-proof-wrong = ليس هذا هو الرمز الموجود في آخر رسالة منا. تحقق منه وحاول مرة أخرى.
page-proof-over = لم يعد هذا الرمز يعمل. اطلب رمزًا آخر.
page-proof-soon = أرسلنا رمزًا قبل أقل من دقيقة. انتظر دقيقة قبل أن تطلب رمزًا آخر.
page-proof-most = أرسلنا 4 رموز، ولا يمكننا إرسال المزيد في هذه الزيارة. أدخل الرمز الموجود في آخر رسالة منا، أو ابدأ من جديد بعد 10 دقائق.
page-proof-ended = لم يعد هذا الرمز يعمل، وقد أرسلنا 4 رموز. ابدأ من جديد.
page-proof-busy = طُلبت رموز كثيرة جدًا من شبكتك. حاول مرة أخرى بعد بضع دقائق.
page-proof-unavailable = لا يمكننا إرسال رموز حاليًا. حاول مرة أخرى غدًا.
page-proof-refused = لا يمكننا إرسال رسائل إلى هذا العنوان الآن. تحقق منه، أو استخدم عنوانًا آخر.
proof-mail-subject = رمزك لدى { $company }
proof-mail-body = أدخل هذا الرمز في صفحة { $company } لتأكيد عنوان بريدك الإلكتروني.
proof-mail-note = يعمل الرمز لمدة 10 دقائق، وفي الصفحة التي طُلب فيها فقط. لا تعطه لأحد.
proof-mail-reason = أُدخل عنوانك في صفحة من صفحات { $company }. إذا لم تفعل ذلك فتجاهل هذه الرسالة.

### A person's own page, and the mail with its link. They have no tenant

me-title = بياناتك
me-ask-text = اطّلع على ما قدمته للشركات عبر Linchpin، أو نزّل نسخة منه، أو أوقف مشاركته، أو اطلب محوه. نرسل رابطًا إلى بريدك الإلكتروني.
me-ask-label = العنوان الذي أُرسلت إليه دعوتك
me-ask-button = أرسلوا إليّ رابطًا
me-ask-again = طلب رابط
me-asked-title = تحقق من بريدك الإلكتروني
me-asked-text = إذا كانت لدينا بيانات قُدمت عبر رابط أُرسل إلى هذا العنوان، فستصل رسالة فيها رابط. يعمل الرابط مرة واحدة خلال 30 دقيقة. العنوان الذي أُوقفت رسائلنا إليه لا تصله رسالة.
me-open-title = افتح صفحتك
me-open-text = يعرض الزر بياناتك على هذا الجهاز لمدة 30 دقيقة. يعمل الرابط مرة واحدة.
me-open-button = عرض بياناتي
me-open-over = سبق استخدامه أو انتهت صلاحيته. اطلب رابطًا جديدًا.
me-over-title = صفحتك مغلقة
me-over-text = اطلب رابطًا جديدًا للاطلاع على بياناتك مرة أخرى.
me-list-text = قدمت هذا عبر رابط في رسالة إلى عنوانك. بشأن ما قدمته بطريقة أخرى، اسأل الشركة.
me-list-empty = ليست لدينا بيانات قدمتها عبر رابط في رسالة إلى عنوانك.
me-sandbox = بيئة تجريبية: هذه ليست بيانات حقيقية.
me-given = تاريخ التقديم
me-until = تُحفظ حتى
me-until-synced = تُحفظ، ما لم تُحدَّث قبل ذلك، حتى
me-unfinished = غير مرتبط؛ يُحذف في
me-shared = ما تشاركه
me-form = إجابات نموذج
me-consent = النص الذي وافقت عليه
me-copy-json = تنزيل بصيغة JSON
me-copy-pdf = تنزيل بصيغة PDF
me-stop = إيقاف المشاركة
me-erase = محو
me-erase-all = محو كل شيء
me-leave = خروج
me-back = العودة إلى بياناتك
me-stop-title = هل توقف المشاركة مع { $company }؟
me-erase-title = هل تمحو ما قدمته إلى { $company }؟
me-end-text = لا تحصل { $company } على بيانات جديدة، ونمحو ما لدينا. لا يمكن التراجع عن ذلك.
me-end-copies = ربما نسخت { $company } بيانات من قبل. اطلب من { $company } حذف نسخها.
me-done-title = مُحيت بياناتك
me-done-text = لم يعد بإمكان { $company } قراءتها هنا.
me-page-link = الاطلاع على البيانات التي قدمتها أو محوها
me-mail-subject = الرابط إلى بياناتك
me-mail-body = افتح صفحتك للاطلاع على ما قدمته للشركات أو تنزيله أو طلب محوه. يعمل الرابط مرة واحدة خلال 30 دقيقة.
me-mail-reason = أُدخل عنوانك في صفحتنا. إذا لم تفعل ذلك فتجاهل هذه الرسالة: لا تُعرض البيانات إلا عبر هذا الرابط.
portal-mail-subject = تسجيل الدخول إلى بوابة المطورين
portal-mail-body = يسجّل هذا الرابط دخولك إلى بوابة المطورين مرة واحدة، خلال 10 دقائق من طلبك.
portal-mail-several = اختر مؤسسة في بوابة المطورين. يمكنك استخدام أحد هذه الروابط مرة واحدة، خلال 10 دقائق من طلبك.
portal-mail-button = تسجيل الدخول إلى { $company }
portal-mail-reason = أُدخل عنوانك في صفحة تسجيل الدخول إلى بوابة المطورين. إذا لم تفعل ذلك، فتجاهل هذه الرسالة ولا تمرر الرابط إلى أحد.
me-data-identities = الاسم وبيانات الاتصال
me-data-documents = المستندات وملفاتها
me-data-employments = الوظائف
me-data-incomes = الأجور
me-data-transactions = المدفوعات والمعاملات
me-data-contributions = المساهمات في الصناديق
me-data-liabilities = القروض
me-data-eincomes = تقديرات دخلك الشهري
me-data-ratings = التقييمات على المنصات
me-data-links = أوقات ربط هذه الجهة
me-data-insights = أرقام محسوبة من بياناتك
me-archive-payslip = قسيمة الراتب
me-archive-tax = مستند ضريبي
me-archive-company = بطاقة العمل
me-archive-identity = إثبات الهوية
me-archive-clearance = شهادة خلو من السوابق
me-archive-certificate = شهادة
me-archive-bank = كشف حساب بنكي

### رسالة الدعوة

mail-link = هذا الرابط لك وحدك ويعمل مرة واحدة.
mail-copy = إذا لم يعمل الزر، فانسخ هذا العنوان إلى متصفحك:
mail-reason = طلبت منا { $company } أن نرسل إليك هذه الرسالة.
mail-stop = إيقاف كل رسائلنا إلى هذا العنوان
mail-abuse = الإبلاغ عن إساءة استخدام:

### نصوص قالب الدعوة لمستأجر جديد

default-subject = تطلب منك { $company } ربط حساب
default-greeting = مرحبًا { $name }،
default-body = تطلب منك { $company } ربط الحساب الذي لديك في مؤسسة الضمان الاجتماعي أو لدى جهة عملك أو في التطبيق الذي تعمل معه. يستغرق ذلك بضع دقائق، ولا ترى { $company } كلمة مرورك أبدًا.
default-landing-header = مرحبًا { $name }
default-landing-intro = تطلب منك { $company } ربط حساب.
default-landing-text = تختار الجهة، وترى المعلومات التي ستُقرأ، وتسجّل الدخول هناك. يمكنك سحب موافقتك في أي وقت.
default-landing-button = ربط حساب
default-success-header = شكرًا لك، { $name }
default-success-text = أبلغنا { $company }. يمكنك إغلاق هذه الصفحة.
