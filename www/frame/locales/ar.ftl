# Modern Standard Arabic, written from right to left. The keys are those of en.ftl, grouped by screen.
# Style: هادئ ودقيق. الأزرار مصادر (متابعة، إغلاق)، والإرشادات بصيغة الأمر. ما الذي حدث ثم ما الخطوة التالية. بلا لوم ولا علامات تعجب.
# Names of companies and providers are treated as feminine (الشركة، الجهة). The widget isolates arguments from the
# direction of the text around them; literal Latin text that starts or ends with a sign is isolated with \u2066 … \u2069.

### The frame around every screen

dialog-title = ربط حساب
header-back = رجوع
header-close = إغلاق
header-sandbox = تجريبي
footer-password = لا تطّلع { $company } على كلمة مرورك أبدًا.
footer-consent = لا تطّلع { $company } إلا على ما توافق على مشاركته.
help-link = الحصول على مساعدة (يُفتح في علامة تبويب جديدة)

### Buttons used on several screens

action-retry = إعادة المحاولة
action-close = إغلاق
action-done = تم
action-choose-another = اختيار جهة أخرى
action-another-login = استخدام بيانات دخول أخرى
action-upload = تحميل مستند بدلًا من ذلك
action-more = المزيد

### Starting

starting-title = جارٍ التحضير
starting-text = نفتح جلسة آمنة. لن يستغرق ذلك سوى لحظات.
refused-title = يتعذر فتح هذا الرابط
refused-text = لم يعد الرابط صالحًا. أغلق هذه النافذة وابدأ من جديد من الصفحة التي أتيت منها.

### A request that failed

slow-title = يستغرق هذا وقتًا أطول من المعتاد
slow-text = ما زلنا ننتظر الرد. يمكنك الاستمرار في الانتظار أو إعادة المحاولة أو إغلاق هذه النافذة.
offline-title = يبدو أنك غير متصل بالإنترنت
offline-text = يتعذر علينا الوصول إلى الخدمة. تحقق من اتصالك بالإنترنت ثم أعد المحاولة.
unavailable-title = الخدمة لا تستجيب
unavailable-text = المشكلة من جانبنا، ولم يُفقد شيء مما أدخلته. انتظر قليلًا ثم أعد المحاولة.
trapped-title = حدث خطأ من جانبنا
trapped-text = أعد المحاولة للمتابعة من حيث توقفت.
busy-title = محاولات كثيرة في وقت قصير

### Consent

consent-title = مشاركة بياناتك مع { $company }
consent-intro = تستخدم { $company } خدمة Linchpin لقراءة البيانات من حساب تختاره. القرار في مشاركتها لك.
consent-data-title = ما الذي تتم مشاركته
consent-data-text = بيانات الهوية والعمل والدخل، والمستندات التي تحتفظ بها الجهة عنك.
consent-data-choice = بيانات تحتفظ بها الجهة عنك. في الصفحة التالية تختار أيًا منها تشارك.
consent-time-title = عدد مرات القراءة والمدة
consent-time-once = تُقرأ بياناتك مرة واحدة، وتُحذف بعد 60 يومًا من آخر مرة تربط فيها الحساب.
consent-time-daily = تُقرأ بياناتك الآن، ثم كل يوم إذا سمحت الجهة بذلك. وتُحذف بعد 60 يومًا من آخر مرة تربط فيها الحساب.
consent-time-weekly = تُقرأ بياناتك الآن، ثم كل أسبوع إذا سمحت الجهة بذلك. وتُحذف بعد 60 يومًا من آخر مرة تربط فيها الحساب.
consent-time-monthly = تُقرأ بياناتك الآن، ثم كل شهر إذا سمحت الجهة بذلك. وتُحذف بعد 60 يومًا من آخر مرة تربط فيها الحساب.
consent-sync-once = تُقرأ بياناتك مرة واحدة، وتُحذف بعد 60 يومًا من آخر قراءة لها.
consent-sync-daily = تُقرأ بياناتك الآن، ثم كل يوم إذا سمحت الجهة بذلك. وتُحذف بعد 60 يومًا من آخر قراءة لها.
consent-sync-weekly = تُقرأ بياناتك الآن، ثم كل أسبوع إذا سمحت الجهة بذلك. وتُحذف بعد 60 يومًا من آخر قراءة لها.
consent-sync-monthly = تُقرأ بياناتك الآن، ثم كل شهر إذا سمحت الجهة بذلك. وتُحذف بعد 60 يومًا من آخر قراءة لها.
consent-private-title = ما الذي يبقى سريًا
consent-private-text = كلمة مرورك. تُرسل إلى الجهة التي تختارها فقط، ولا تطّلع عليها { $company } أبدًا.
consent-stop-title = كيفية الإيقاف
consent-stop-text = اطلب من { $company } إنهاء الوصول في أي وقت. عندئذٍ تُحذف بياناتك.
consent-version = الإصدار { $version }
consent-agree = موافقة ومتابعة
consent-choose = اختيار ما تشاركه
consent-changed = تغيّرت الشروط منذ أن اطّلعت عليها. يُرجى قراءتها مرة أخرى.
consent-decline = ليس الآن

### Choosing what to share

data-choice-title = اختر ما تشاركه مع { $company }
data-choice-intro = يمكنك رفض كل ما لا تتم مشاركته دائمًا وربط حسابك مع ذلك. لا تتلقى { $company } ما ترفضه.
data-choice-required = تتم مشاركته دائمًا
data-choice-optional = اختيارك
data-choice-none = تشارك فقط ما تتم مشاركته دائمًا.
data-choice-some = تشارك أيضًا ما حددته: { $chosen } من { $total }.
data-choice-uploads = إذا رفعت مستندًا، تتم مشاركة الملف كاملًا.
data-identities = الاسم وبيانات الاتصال
data-documents = المستندات وملفاتها
data-employments = الوظائف
data-incomes = الأجور
data-transactions = المدفوعات والمعاملات
data-contributions = المساهمات في الصناديق
data-liabilities = القروض
data-eincomes = تقديرات دخلك الشهري
data-ratings = التقييمات على المنصات
data-links = أوقات ربط هذه الجهة
data-insights = أرقام محسوبة من بياناتك

### Providers

providers-title = اختر الجهة
providers-intro = أين يوجد الحساب الذي تريد ربطه؟
providers-search = البحث عن جهة
providers-search-placeholder = ابحث بالاسم
providers-search-clear = مسح البحث
providers-tabs = نوع الجهة
providers-tab-all = الكل
providers-tab-government = حكومية
providers-tab-employer = جهات العمل
providers-tab-gig = منصات العمل الحر
providers-tab-payroll = الرواتب
providers-kind-government = خدمة حكومية
providers-kind-employer = جهة عمل
providers-kind-gig = منصة عمل حر
providers-kind-payroll = خدمة رواتب
providers-list-top = الأكثر استخدامًا
providers-list-all = كل الجهات
providers-list-found = الجهات المطابقة
providers-loading = جارٍ تحميل الجهات
providers-found = { $count ->
    [0] لم يُعثر على أي جهة
    [one] عُثر على جهة واحدة ({ $count })
    [two] عُثر على جهتين ({ $count })
    [few] عُثر على { $count } جهات
    [many] عُثر على { $count } جهة
   *[other] عُثر على { $count } جهة
}
providers-empty-title = لا توجد جهة مطابقة
providers-empty-text = تحقق من الكتابة، أو جرّب اسمًا أقصر أو نوعًا آخر من الجهات.
providers-show-all = عرض كل الجهات
providers-none-title = لا توجد جهات بعد
providers-none-text = لم تُعِدّ { $company } أي جهة للربط بعد. أغلق هذه النافذة وأخبرها بذلك.
providers-more = عرض المزيد
providers-missing = لا أجد الجهة التي أبحث عنها
provider-away = غير متاحة حاليًا
provider-loading = جارٍ فتح { $provider }
provider-missing-title = يتعذر ربط هذه الجهة هنا
provider-missing-text = لم تعد متاحة. اختر جهة أخرى أو أغلق هذه النافذة.

### Ways to sign in

login-options-title = كيف تسجّل الدخول إلى { $provider }؟
login-options-list = طرق تسجيل الدخول

### Login

login-title = تسجيل الدخول إلى { $provider }
login-intro = استخدم البيانات نفسها التي تستخدمها في موقع { $provider }.
login-none-title = ربط { $provider }
login-none-text = لا تتطلب { $provider } تسجيل الدخول. تابع لمشاركة بياناتك.
login-submit = ربط
login-submitting = جارٍ الربط
password-show = إظهار كلمة المرور
password-hide = إخفاء كلمة المرور
password-caps-lock = مفتاح Caps Lock قيد التشغيل
field-optional = اختياري
field-choose = اختر واحدًا
field-empty = أدخل هذه المعلومة للمتابعة.
field-empty-choice = اختر أحد الخيارات للمتابعة.
field-too-short = { $min ->
    [one] أدخل حرفًا واحدًا على الأقل ({ $min }).
    [two] أدخل حرفين على الأقل ({ $min }).
    [few] أدخل { $min } أحرف على الأقل.
    [many] أدخل { $min } حرفًا على الأقل.
   *[other] أدخل { $min } حرف على الأقل.
}
field-too-long = { $max ->
    [one] أدخل حرفًا واحدًا على الأكثر ({ $max }).
    [two] أدخل حرفين على الأكثر ({ $max }).
    [few] أدخل { $max } أحرف على الأكثر.
    [many] أدخل { $max } حرفًا على الأكثر.
   *[other] أدخل { $max } حرف على الأكثر.
}
field-digits = استخدم الأرقام فقط.
field-alphanumeric = استخدم الحروف اللاتينية والأرقام فقط.
field-email = أدخل بريدًا إلكترونيًا مثل { "\u2066" }name@example.com{ "\u2069" }.
field-phone = أدخل رقم هاتف مع رمز البلد، مثل { "\u2066" }+52 55 1234 5678{ "\u2069" }.
field-curp = أدخل رقم CURP المكوّن من 18 حرفًا ورقمًا كما يظهر في الشهادة.
field-date = أدخل تاريخًا صحيحًا بالسنة والشهر واليوم.
field-choice = اختر إحدى القيم في القائمة.
field-refused = لا تقبل { $provider } هذه القيمة. تحقق منها ثم أعد المحاولة.
field-space = توجد مسافة في البداية أو النهاية. احذفها إن لم تكن جزءًا من القيمة.
form-errors = { $count ->
    [one] حقل واحد ({ $count }) يحتاج إلى مراجعتك.
    [two] حقلان ({ $count }) يحتاجان إلى مراجعتك.
    [few] { $count } حقول تحتاج إلى مراجعتك.
    [many] { $count } حقلًا يحتاج إلى مراجعتك.
   *[other] { $count } حقل يحتاج إلى مراجعتك.
}
login-again = أدخل كلمة المرور مرة أخرى. لسلامتك لم نحتفظ بها.
login-restarted-title = اضطرت هذه الصفحة إلى البدء من جديد
login-restarted-text = حدث خطأ من جانبنا. ما كتبته لا يزال هنا، ما عدا كلمة المرور. تحقق منه ثم اضغط على «ربط» مرة أخرى.
login-not-sent-title = لم تصلنا بياناتك
login-not-sent-text = انقطع الاتصال. تحقق من اتصالك بالإنترنت ثم اضغط على «ربط» مرة أخرى.
login-renewed-title = تم تجديد جلستك
login-renewed-text = لم يُرسَل ما أدخلته. اضغط على «ربط» لإرساله الآن.
login-other-title = هذا حساب مختلف
login-other-text = سجّل الدخول إلى { $provider } بالحساب الذي ربطته من قبل. لم يُرسَل أي شيء إلى { $provider }.
login-limit-title = محاولات كثيرة لتسجيل الدخول
login-wait = { $seconds ->
    [one] يمكنك المحاولة مجددًا بعد ثانية واحدة ({ $seconds }).
    [two] يمكنك المحاولة مجددًا بعد ثانيتين ({ $seconds }).
    [few] يمكنك المحاولة مجددًا بعد { $seconds } ثوانٍ.
    [many] يمكنك المحاولة مجددًا بعد { $seconds } ثانية.
   *[other] يمكنك المحاولة مجددًا بعد { $seconds } ثانية.
}
login-wait-minutes = { $minutes ->
    [one] يمكنك المحاولة مجددًا بعد دقيقة واحدة ({ $minutes }).
    [two] يمكنك المحاولة مجددًا بعد دقيقتين ({ $minutes }).
    [few] يمكنك المحاولة مجددًا بعد { $minutes } دقائق.
    [many] يمكنك المحاولة مجددًا بعد { $minutes } دقيقة.
   *[other] يمكنك المحاولة مجددًا بعد { $minutes } دقيقة.
}
login-wait-hours = { $hours ->
    [one] يمكنك المحاولة مجددًا بعد ساعة واحدة ({ $hours }).
    [two] يمكنك المحاولة مجددًا بعد ساعتين ({ $hours }).
    [few] يمكنك المحاولة مجددًا بعد { $hours } ساعات.
    [many] يمكنك المحاولة مجددًا بعد { $hours } ساعة.
   *[other] يمكنك المحاولة مجددًا بعد { $hours } ساعة.
}

### Connecting

connecting-title = جارٍ الاتصال بـ { $provider }
connecting-text = يستغرق ذلك عادة أقل من دقيقة. أبقِ هذه النافذة مفتوحة.
connecting-slow = تستغرق { $provider } وقتًا أطول من المعتاد. ما زلنا ننتظر الرد.
connecting-stage-sent = أُرسلت البيانات بأمان
connecting-stage-login = تسجيل الدخول إلى { $provider } جارٍ
connecting-stage-answer = التحقق من إجابتك
connecting-stage-finish = تأكيد الربط
connecting-lost-title = انقطع الاتصال
connecting-lost-text = يتعذر علينا الوصول إلى الخدمة ونواصل المحاولة. لا يلزمك فعل شيء.

### Confirming that it is you

challenge-code-title = أدخل الرمز
challenge-code-sms = أرسلت { $provider } رمزًا في رسالة نصية. يُفترض أن يصل خلال دقيقة.
challenge-code-sms-to = أرسلت { $provider } رمزًا في رسالة نصية إلى { $destination }.
challenge-code-email = أرسلت { $provider } رمزًا إلى بريدك الإلكتروني. راجع مجلد البريد غير المرغوب فيه أيضًا.
challenge-code-email-to = أرسلت { $provider } رمزًا إلى { $destination }. راجع مجلد البريد غير المرغوب فيه أيضًا.
challenge-code-voice = تتصل بك { $provider } الآن لإعطائك رمزًا.
challenge-code-voice-to = تتصل { $provider } الآن بالرقم { $destination } لإعطائك رمزًا.
challenge-code-app = افتح تطبيق المصادقة وأدخل الرمز الذي يعرضه لحساب { $provider }.
challenge-code-label = الرمز
challenge-code-help = يتكون من { $length } خانات ويُرسل فور إدخالها كلها.
challenge-choice-title = تأكيد هويتك
challenge-choice-text = تطلب منك { $provider } اختيار إجابة واحدة.
challenge-choice-missing = اختر إجابة واحدة للمتابعة.
challenge-image-title = اكتب ما تراه
challenge-image-text = تعرض { $provider } صورة للتأكد من أنك لست برنامجًا آليًا.
challenge-image-alt = حروف أو أرقام مرسومة من { $provider }
challenge-image-label = الحروف الظاهرة في الصورة
challenge-listen = الاستماع بدلًا من ذلك
challenge-listen-stop = إيقاف التسجيل
challenge-listen-again = إعادة التشغيل
challenge-listening = يجري تشغيل التسجيل.
challenge-listen-ended = انتهى التسجيل. اكتب ما سمعته.
challenge-listen-failed = تعذّر تشغيل التسجيل. أعد المحاولة، أو اكتب الحروف الظاهرة في الصورة.
challenge-question-title = أجب عن سؤال الأمان
challenge-question-text = تطرح { $provider } سؤالًا أعددته لديها.
challenge-approve-title = وافق من هاتفك
challenge-approve-text = أرسلت { $provider } طلبًا إلى تطبيقها. افتح التطبيق ووافق على الطلب.
challenge-approve-on = أرسلت { $provider } طلبًا إلى { $device }. افتحه هناك ووافق عليه.
challenge-email-link-title = افتح الرابط في بريدك الإلكتروني
challenge-email-link-text = أرسلت إليك { $provider } رسالة فيها رابط. راجع مجلد البريد غير المرغوب فيه أيضًا.
challenge-email-link-to = أرسلت { $provider } رابطًا إلى { $destination }. راجع مجلد البريد غير المرغوب فيه أيضًا.
challenge-redirect-title = سجّل الدخول في صفحة المزوّد
challenge-redirect-text = يُفتح { $provider } في علامة تبويب أخرى. سجّل الدخول هناك ثم عُد إلى هنا.
challenge-redirect-here = يُفتح { $provider } في هذه الصفحة. سجّل الدخول هناك وستعود إلى هنا.
challenge-redirect-open = المتابعة إلى { $provider }
challenge-redirect-left = أكمل تسجيل الدخول إلى { $provider } في علامة التبويب الأخرى. إذا أغلقتها، فابدأ من جديد.
challenge-redirect-again = البدء من جديد
challenge-redirect-nothing = لم يصل شيء من { $provider } بعد. أكمل في علامة التبويب الأخرى أو ابدأ من جديد.
challenge-waiting = تتابع هذه الصفحة تلقائيًا عندما تنتهي من ذلك.
challenge-time-left = الوقت المتبقي: { $time }
challenge-time-low = الوقت المتبقي: { $time }. يمكنك طلب وقت إضافي.
challenge-time-both = الوقت المتبقي: { $time }. يمكنك الإرسال مرة أخرى بعد { $seconds } ث.
challenge-extend = أحتاج إلى وقت إضافي
challenge-extended = أصبح لديك وقت إضافي.
challenge-resend = إرسال مرة أخرى
challenge-resend-wait = الإرسال مرة أخرى بعد { $seconds } ث
challenge-resent = رمز جديد في الطريق إليك.
challenge-by-sms = إرساله في رسالة نصية
challenge-by-email = إرساله بالبريد الإلكتروني
challenge-by-voice = تلقيه في مكالمة هاتفية
challenge-by-app = استخدام تطبيق مصادقة
challenge-picture = عرض صورة أخرى
challenge-picture-new = هذه صورة أخرى.
challenge-wrong = الإجابة غير صحيحة. تحقق منها وأدخلها مرة أخرى.
challenge-wrong-choice = الإجابة غير صحيحة. اختر إجابة أخرى.
challenge-wrong-left = { $left ->
    [one] الإجابة غير صحيحة. بقيت لك محاولة واحدة أخيرة.
    [two] الإجابة غير صحيحة. بقيت لك محاولتان.
    [few] الإجابة غير صحيحة. بقيت لك { $left } محاولات.
    [many] الإجابة غير صحيحة. بقيت لك { $left } محاولة.
   *[other] الإجابة غير صحيحة. بقيت لك { $left } محاولة.
}
challenge-not-sent-title = لم تصلنا إجابتك
challenge-not-sent-text = انقطع الاتصال. تحقق من اتصالك بالإنترنت وأدخل إجابتك مرة أخرى.
challenge-submit = متابعة
challenge-checking = جارٍ التحقق
challenge-unsupported-title = يتعذر علينا عرض هذا التحقق
challenge-unsupported-text = تطلب منك { $provider } تأكيد هويتك بطريقة لا تدعمها هذه النافذة بعد. لم تتم مشاركة أي شيء.
challenge-unsupported-next = غيّر طريقة التأكيد في إعدادات { $provider }، أو اربط جهة أخرى.

### Success

success-title = تم ربط حسابك
success-text = أصبح حسابك لدى { $provider } مرتبطًا بـ { $company }.
success-next = نجلب بياناتك في الخلفية. يمكنك إغلاق هذه النافذة.
success-another = ربط حساب آخر

### Why it failed: the error codes of the interface, and one for any other

error-account-disabled-title = هذا الحساب معطّل
error-account-disabled-cause = عطّلت { $provider } هذا الحساب، لذلك يتعذر ربطه.
error-account-disabled-next = اطلب من { $provider } تفعيله ثم اربطه مرة أخرى.
error-account-inaccessible-title = يتعذر فتح هذا الحساب
error-account-inaccessible-cause = نجح تسجيل دخولك، لكن { $provider } لا تسمح لنا بدخول الحساب حاليًا.
error-account-inaccessible-next = سجّل الدخول في موقع { $provider } لمعرفة ما إذا كان هناك ما يتطلب انتباهك، ثم أعد المحاولة.
error-account-incomplete-title = لم يكتمل إعداد حسابك بعد
error-account-incomplete-cause = تفيد { $provider } بأن بعض خطوات تسجيلك لم تكتمل.
error-account-incomplete-next = أكمل ملفك في موقع { $provider } ثم اربط الحساب مرة أخرى.
error-account-locked-title = هذا الحساب مقفل
error-account-locked-cause = قفلته { $provider }، عادة بعد إدخال كلمة مرور خاطئة عدة مرات.
error-account-locked-next = افتح القفل أولًا في موقع { $provider }. قد يطيل تكرار المحاولة هنا مدة القفل.
error-auth-required-title = لم تصل بيانات دخولك
error-auth-required-cause = لم تتلقَّ { $provider } منا اسم مستخدم وكلمة مرور.
error-auth-required-next = أدخل بياناتك مرة أخرى.
error-expired-credentials-title = انتهت صلاحية كلمة مرورك
error-expired-credentials-cause = تطلب { $provider } تعيين كلمة مرور جديدة قبل تسجيل الدخول.
error-expired-credentials-next = غيّرها في موقع { $provider } ثم اربط الحساب بالكلمة الجديدة.
error-invalid-account-type-title = يتعذر ربط هذا النوع من الحسابات
error-invalid-account-type-cause = تعرّفت { $provider } عليك، لكن هذا النوع من الحسابات لا يحتوي على البيانات المطلوبة.
error-invalid-account-type-next = إذا كان لديك حساب آخر لدى { $provider } فاستخدمه.
error-invalid-auth-title = لم يكتمل تسجيل الدخول
error-invalid-auth-cause = حدث عطل أثناء تحقق { $provider } من هويتك. قد تكون كلمة مرورك صحيحة.
error-invalid-auth-next = حاول مرة أخرى. إذا تكرر ذلك فتواصل مع دعم { $company }.
error-invalid-credentials-title = البيانات غير متطابقة
error-invalid-credentials-cause = لا تقبل { $provider } اسم المستخدم وكلمة المرور هذين معًا.
error-invalid-credentials-next = تحقق من الأخطاء الكتابية والأحرف الكبيرة ثم أعد المحاولة.
error-invalid-mfa-title = أُدخل الرمز خطأً مرات كثيرة
error-invalid-mfa-cause = لم تقبل { $provider } الإجابات التي أدخلتها لتأكيد هويتك.
error-invalid-mfa-next = سجّل الدخول مرة أخرى للحصول على رمز جديد، واستخدم أحدث رمز فقط.
error-declined-title = رُفض الطلب
error-declined-cause = رفض شخص ما الطلب الذي أرسلته { $provider } لتأكيد هويتك. لم تُشارك أي بيانات.
error-declined-next = إذا رفضته أنت بالخطأ، فسجّل الدخول مرة أخرى ووافق على الطلب الجديد.
error-mfa-timeout-title = انتهى الوقت
error-mfa-timeout-cause = انتظرت { $provider } تأكيد هويتك ثم توقفت عن الانتظار.
error-mfa-timeout-next = سجّل الدخول مرة أخرى وأبقِ هاتفك أو بريدك في متناولك.
error-service-unavailable-title = الجهة لا تستجيب
error-service-unavailable-cause = { $provider } متوقفة أو قيد الصيانة حاليًا. لا مشكلة في بياناتك.
error-service-unavailable-next = أعد المحاولة بعد بضع دقائق، أو عُد لاحقًا.
error-system-error-title = حدث خطأ من جانبنا
error-system-error-cause = فشل الاتصال بـ { $provider } ولا ذنب لك في ذلك. لم تتم مشاركة أي شيء.
error-system-error-next = أعد المحاولة. إذا تكرر ذلك فتواصل مع دعم { $company }.
error-tos-required-title = هناك شروط جديدة يجب قبولها أولًا
error-tos-required-cause = يجب أن تقبل شروط خدمة { $provider } قبل أن يتمكن أحد من تسجيل الدخول نيابة عنك.
error-tos-required-next = سجّل الدخول في موقع { $provider } واقبل الشروط، ثم اربط الحساب مرة أخرى.
error-unsupported-auth-type-title = طريقة تسجيل الدخول هذه غير مدعومة
error-unsupported-auth-type-cause = يستخدم حسابك لدى { $provider } طريقة دخول لا يمكننا تنفيذها، مثل الدخول عبر شركة أخرى.
error-unsupported-auth-type-next = استخدم طريقة أخرى لتسجيل الدخول إن وُجدت، أو اختر جهة أخرى.
error-unsupported-mfa-method-title = طريقة التأكيد هذه غير مدعومة
error-unsupported-mfa-method-cause = تؤكد { $provider } هويتك بطريقة لا يمكننا تنفيذها، مثل مفتاح الأمان.
error-unsupported-mfa-method-next = انتقل إلى الرموز عبر الرسائل النصية أو البريد في إعدادات { $provider }، ثم اربط الحساب مرة أخرى.
error-unknown-title = تعذر علينا ربط حسابك
error-unknown-cause = أبلغت { $provider } عن مشكلة لا نعرفها بعد. لم تتم مشاركة أي شيء.
error-unknown-next = أعد المحاولة لاحقًا. إذا تكرر ذلك فتواصل مع دعم { $company }.
error-try-again = إدخال البيانات مرة أخرى

### The session ended

expired-title = انتهت جلستك
expired-text = لسلامتك تستمر الجلسة مدة محدودة. نطلب من { $company } المتابعة، وما كتبته محفوظ.
expired-renewing-title = نتابع من حيث توقفت
expired-renewing-text = نفتح جلسة آمنة جديدة. ما كتبته محفوظ.
expired-start-title = انتهت صلاحية هذا الرابط
expired-start-text = تعمل الروابط مرة واحدة ولمدة قصيرة. إذا لم تتابع الصفحة التي أتيت منها تلقائيًا، فأغلق هذه النافذة وابدأ من جديد.
expired-mismatch-title = اضطررنا إلى التوقف هنا
expired-mismatch-text = الجلسة الجديدة تخص شخصًا آخر أو صفحة أخرى. لحماية بياناتك مسحنا كل شيء. أغلق هذه النافذة وابدأ من جديد.

### Leave?

leave-title = هل تريد المغادرة قبل أن تنتهي؟
leave-typed = سيُمسح ما كتبته.
leave-connecting = لم يُربط حسابك بعد. إذا غادرت الآن فقد تضطر إلى البدء من جديد.
leave-stay = البقاء هنا
leave-leave = مغادرة

### Already linked

accounts-title = حساباتك المرتبطة
accounts-loading = جارٍ تحميل حساباتك
accounts-uploads = مستنداتك
accounts-none = لا يوجد أي حساب مرتبط حاليًا.
accounts-back = العودة إلى حساباتك
account-title = حسابك لدى { $provider }
account-action = سجّل الدخول مرة أخرى لإبقائه محدّثًا
account-action-text = تطلب { $provider } تسجيل دخولك مرة أخرى قبل قراءة بيانات جديدة.
account-nothing = لا يلزمك فعل شيء. تحتفظ { $company } بالوصول الذي وافقت عليه إلى أن ينتهي أو تلغي الربط.
account-sign-in = تسجيل الدخول مرة أخرى
account-reading = قيد القراءة
account-unread = تعذرت قراءته
account-synced = { $days ->
    [0] حُدّث اليوم
    [one] حُدّث أمس
    [two] حُدّث قبل يومين
    [few] حُدّث قبل { $days } أيام
    [many] حُدّث قبل { $days } يومًا
   *[other] حُدّث قبل { $days } يوم
}
account-added = { $days ->
    [0] الإضافة: اليوم
    [one] الإضافة: أمس
    [two] الإضافة: قبل يومين
    [few] الإضافة: قبل { $days } أيام
    [many] الإضافة: قبل { $days } يومًا
   *[other] الإضافة: قبل { $days } يوم
}
account-missing-title = هذا الحساب ليس هنا
account-missing-text = أُلغي ربطه، أو أنه يخص شخصًا آخر. يمكنك ربط حساب الآن.
revoke-title = هل تريد إلغاء ربط { $provider }؟
revoke-text = ستفقد { $company } الوصول إلى حسابك لدى { $provider }، وستُحذف البيانات المقروءة منه. يمكنك ربطه مرة أخرى لاحقًا.
revoke-upload-title = هل تريد إزالة هذا المستند؟
revoke-upload-text = ستفقد { $company } الوصول إليه، وستُحذف ملفاته والبيانات المقروءة منها.
revoke-disconnect = إلغاء الربط
revoke-remove = إزالة
revoke-keep = الاحتفاظ به
revoke-busy = جارٍ إلغاء الوصول
revoke-done = أُلغي الوصول ويجري حذف البيانات.

### Can’t find it

survey-title = أخبرنا بالجهة الناقصة
survey-text = نسجّل جهات العمل والجهات الأخرى التي يبحث عنها الناس ونضيفها تدريجيًا.
survey-label = جهة العمل أو الجهة الأخرى
survey-submit = إرسال
survey-thanks-title = شكرًا لك، سجّلنا ذلك
survey-thanks-text = لا يمكن ربطها بعد. يمكنك اختيار جهة أخرى.
survey-thanks-upload = لا يمكن ربطها بعد. يمكنك تحميل مستند بدلًا من ذلك.

### Documents

uploads-title = تحميل مستند
uploads-text = ماذا تريد أن تقدم إلى { $company }؟
uploads-list = أنواع المستندات
archive-payslip = قسيمة الراتب
archive-payslip-hint = الأحدث، بجميع صفحاتها.
archive-tax = مستند ضريبي
archive-tax-hint = آخر إقرار أو كشف سنوي.
archive-company = بطاقة العمل
archive-company-hint = بطاقتك من جهة العمل، بوجهيها.
archive-identity = إثبات الهوية
archive-identity-hint = جواز السفر أو بطاقة الهوية أو رخصة القيادة.
archive-clearance = شهادة خلو من السوابق
archive-clearance-hint = من الشرطة أو المحكمة أو جهة العمل.
archive-certificate = شهادة
archive-certificate-hint = بعملك أو باشتراكاتك.
archive-bank = كشف حساب بنكي
archive-bank-hint = لآخر شهر كامل، بجميع صفحاته.
upload-rules = PDF أو JPEG أو HEIC أو PNG أو TIFF، بحد أقصى 15 ميغابايت لكل ملف.
upload-rules-pages = ملفات PDF أو JPEG أو HEIC أو PNG أو TIFF، بحد أقصى 15 ميغابايت لكل ملف. الحد الأقصى لعدد الملفات: { $limit }.
upload-front = الوجه الأمامي
upload-back = الوجه الخلفي
upload-back-text = غير مطلوب لجواز السفر.
upload-pages = إضافة ملفات
upload-pages-text = اختر الملفات أو أفلتها أو ألصقها هنا.
upload-again = اختر الملف غير المكتمل مرة أخرى للمتابعة. لن يُرسل سوى الجزء الناقص.
upload-choose = اختيار ملف
upload-camera = التقاط صورة
upload-files = ملفاتك
upload-looking = جارٍ الفحص
upload-missing = أُرسل { $percent }% من قبل
upload-waiting = قيد الانتظار
upload-offline = لا يوجد اتصال. ستتابع ملفاتك تلقائيًا.
upload-online = عاد الاتصال.
upload-sending = { $percent }% من { $size } ميغابايت
upload-retrying = انقطع الاتصال. نعيد المحاولة.
upload-paused = متوقف مؤقتًا عند { $percent }%
upload-stuck = تعذر إرساله.
upload-sent = تم التحميل، { $size } ميغابايت
upload-refused = لم يُضف، { $size } ميغابايت
upload-removing = جارٍ الإزالة
upload-announce = { $name }: تم تحميل { $percent }%
upload-pause = إيقاف { $name } مؤقتًا
upload-continue = متابعة { $name }
upload-remove = إزالة { $name }
upload-surplus = عدد الملفات المضافة: { $added } من { $offered }. الحد الأقصى { $limit }.
upload-clear = إزالة الملفات التي لم تُضف
upload-summary = { $files ->
    [one] ملف واحد ({ $files })، { $size } ميغابايت، جاهز للإرسال
    [two] ملفان ({ $files })، { $size } ميغابايت، جاهزان للإرسال
    [few] { $files } ملفات، { $size } ميغابايت، جاهزة للإرسال
    [many] { $files } ملفًا، { $size } ميغابايت، جاهزة للإرسال
   *[other] { $files } ملف، { $size } ميغابايت، جاهزة للإرسال
}
upload-submit = إرسال الملفات
upload-loss = لم ترسل ملفاتك بعد. إذا غادرت الآن فعليك اختيارها مرة أخرى.
file-duplicate = سبق أن أضفت هذا الملف.
file-empty = هذا الملف فارغ.
file-too-large = هذا الملف أكبر من 15 ميغابايت. صغّره، أو التقط صورة لكل صفحة.
file-unsupported = تتعذر قراءة هذا الملف. احفظه أو اطبعه كملف PDF، أو التقط صورة شاشة له، ثم أضف الملف الجديد. نقبل ملفات PDF وJPEG وHEIC وPNG وTIFF.
file-extra = يحتوي هذا الملف على بيانات أخرى غير المستند. اطبعه إلى ملف PDF جديد أو التقط صورة جديدة، ثم أضف الملف الجديد.
file-encrypted = هذا الملف محمي بكلمة مرور. احفظه بدونها وأضفه مرة أخرى.
file-damaged = هذا الملف تالف أو غير مكتمل. افتحه على جهازك للتحقق منه، ثم أضفه مرة أخرى.
file-too-many-pages = يحتوي هذا الملف على أكثر من 30 صفحة. أضف الصفحات المهمة فقط.
file-too-many-pixels = هذه الصورة كبيرة جدًا. التقطها مرة أخرى بدقة أقل.
file-too-many = لا مكان لهذا الملف. أزل ملفًا آخر أولًا.
file-quota = بلغت الحد المسموح به من التحميل. حاول مرة أخرى غدًا.
file-mismatch = تغيّر هذا الملف أو لم يعد موجودًا. أزله وأضفه مرة أخرى.
upload-remove-title = هل تريد إزالة هذا التحميل؟
upload-remove-text = ستُحذف الملفات التي أضفتها. لم يُرسل أي شيء.
upload-remove-yes = إزالة
upload-remove-no = الاحتفاظ به
photo-title = راجع الصورة
photo-text = هل يمكنك قراءة كل كلمة؟ هل تظهر الورقة كاملة؟
photo-blurred = تبدو هذه الصورة غير واضحة. إذا لم تتمكن من قراءة الخط الصغير، فالتقطها مجددًا بيد ثابتة.
photo-dark = هذه الصورة معتمة. التقطها مجددًا في إضاءة أقوى ومن دون ظل على الورقة.
photo-alt = الصورة { $name }
photo-turn = تدوير
photo-frame = قص
photo-use = استخدام هذه الصورة
photo-retake = إزالة والتقاط مجددًا
photo-discard = إزالة
photo-frame-title = قص الصورة
photo-frame-text = اسحب الحواف إلى حواف الورقة.
photo-left = الحافة اليسرى
photo-top = الحافة العليا
photo-right = الحافة اليمنى
photo-bottom = الحافة السفلى
photo-crop = قص
photo-unframe = إلغاء
photo-waiting = في انتظار أن تراجعها
photo-help = ضع الورقة على سطح مستوٍ في إضاءة جيدة، واجعلها تظهر كاملة في الصورة.
reading-title = نقرأ مستندك
reading-text = يستغرق ذلك عادة أقل من دقيقة. يمكنك إغلاق هذه النافذة، وستستمر القراءة.
reading-received = وصلت الملفات
reading-queued = في انتظار الدور
reading-pages = قراءة الصفحات
reading-checked = التحقق من النتائج
archive-read-title = تمت قراءة مستندك
archive-read-text = يمكن لـ { $company } الآن استخدام بياناته.
archive-another = تحميل مستند آخر
archive-unrecognized-title = تعذرت علينا قراءة هذا المستند
archive-unrecognized-next = التقط الصورة مرة أخرى: المستند مستوٍ، والإضاءة جيدة بلا انعكاس، والزوايا الأربع ظاهرة. أفضل نتيجة من ملف PDF صادر عن الجهة نفسها.
archive-unknown-title = لا نعرف هذا النوع من المستندات
archive-unknown-next = أمكننا قراءة النص، لكنه لا يبدو من المستندات المطلوبة. تأكد من أنه كامل، أو حمّل مستندًا آخر.
archive-people-title = هذه المستندات تخص عدة أشخاص
archive-people-next = حمّل مستندات شخص واحد فقط: مستنداتك.
archive-form-title = تتعذر قراءة هذا النموذج
archive-form-next = بياناته ليست ضمن صفحاته. افتحه واختر «طباعة» واحفظه بصيغة PDF، ثم حمّل الملف الجديد.
archive-portfolio-title = ملف PDF هذا يحتوي على ملفات أخرى
archive-portfolio-next = افتحه واحفظ المستند المطلوب في ملف مستقل، ثم حمّله.
archive-chosen = النوع الذي اخترته
archive-wrong-title = يبدو أن هذا نوع آخر من المستندات
archive-wrong-next = اختر النوع الذي ينتمي إليه، أو حمّل المستند المطلوب.
archive-unreadable-title = يتعذر فتح أحد الملفات
archive-unreadable-next = إنه تالف أو محمي بكلمة مرور. احفظه من جديد بدون كلمة مرور ثم حمّله.
archive-away-title = القراءة غير ممكنة حاليًا
archive-away-next = لا مشكلة في ملفاتك. أعد المحاولة بعد بضع دقائق.
archive-fault-title = حدث عطل من جانبنا
archive-fault-next = لا مشكلة في ملفاتك. حمّلها مرة أخرى.
archive-again = إعادة التحميل
archive-other = اختيار نوع آخر

### On the phone

handoff-offer = المتابعة على هاتفك
handoff-title = تابع على هاتفك
handoff-scan = وجّه كاميرا هاتفك إلى هذا الرمز، وافتح الصفحة التي يعرضها.
handoff-once = يعمل الرمز مرة واحدة خلال 10 دقائق. لا تعرضه على أحد، فقد يتابع بدلًا منك.
handoff-alt = رمز QR يفتح هذه الخطوة على هاتفك
handoff-here = المتابعة هنا بدلًا من ذلك
handoff-again = عرض رمز جديد
handoff-continued-title = أنت تتابع على هاتفك
handoff-continued-text = أبقِ هذه الصفحة مفتوحة. ستتابع تلقائيًا عندما تنتهي على هاتفك.
handoff-continued-warning = لم تكن أنت؟ اختر «المتابعة هنا بدلًا من ذلك»، ولن يستطيع الجهاز الآخر فعل أي شيء بعد ذلك.
handoff-expired-title = انتهت صلاحية الرمز
handoff-expired-text = لم يضِع شيء. اعرض رمزًا جديدًا أو تابع هنا.
handoff-left-title = غادرت الصفحة على هاتفك
handoff-left-text = ما أرسلته محفوظ. اعرض رمزًا جديدًا أو تابع هنا.
handoff-arrival-title = تابع على هذا الهاتف
handoff-arrival-text = تتابع هنا ما بدأته على حاسوبك مع { $company }.
handoff-arrival-warning = تابع فقط إذا مسحت الرمز من شاشتك أنت. إذا أرسله إليك شخص ما فأغلق هذه الصفحة، وإلا حصل على ما تُدخله.
handoff-continue = متابعة
handoff-done-title = انتهيت هنا
handoff-done-text = عُد إلى حاسوبك. تُستكمل الخطوات هناك.
handoff-back-title = تابع على حاسوبك
handoff-back-text = يعرض حاسوبك الخطوة التالية. يمكنك إغلاق هذه الصفحة.
handoff-dead-title = لم يعد هذا الرمز صالحًا
handoff-dead-text = يعمل الرمز مرة واحدة خلال 10 دقائق. اعرض رمزًا جديدًا على حاسوبك وامسحه.
