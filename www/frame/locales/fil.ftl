# Filipino. The keys are those of en.ftl, grouped by screen.
# Style: as Philippine banks write in their apps. What happened, then what to do next. No blame, no exclamation marks.
# Nouns do not change after a number, so there are only the forms `one` and `other`.

### The frame around every screen

dialog-title = Ikonekta ang isang account
header-back = Bumalik
header-close = Isara
header-sandbox = Pagsubok
footer-password = Hindi kailanman makikita ng { $company } ang iyong password.
footer-consent = Ang makikita lang ng { $company } ay ang pinayagan mong ibahagi.
help-link = Humingi ng tulong (bubukas sa bagong tab)

### Buttons used on several screens

action-retry = Subukan ulit
action-close = Isara
action-done = Tapos na
action-choose-another = Pumili ng ibang provider
action-another-login = Gumamit ng ibang login
action-upload = Mag-upload na lang ng dokumento
action-more = Higit pa

### Starting

starting-title = Inihahanda na
starting-text = Binubuksan ang isang ligtas na session. Sandali lang ito.
refused-title = Hindi mabuksan ang link na ito
refused-text = Hindi na ito valid. Isara ang window na ito at magsimulang muli sa pahinang pinanggalingan mo.

### A request that failed

slow-title = Mas matagal ito kaysa karaniwan
slow-text = Naghihintay pa rin kami ng sagot. Puwede kang maghintay pa, sumubok ulit, o isara ang window na ito.
offline-title = Mukhang offline ka
offline-text = Hindi namin maabot ang serbisyo. I-check ang iyong internet connection at subukan ulit.
unavailable-title = Hindi sumasagot ang serbisyo
unavailable-text = Sa amin ang problema at walang nawala sa mga inilagay mo. Maghintay sandali at subukan ulit.
trapped-title = Nagkaproblema sa panig namin
trapped-text = Subukan ulit para magpatuloy kung saan ka tumigil.
busy-title = Masyadong maraming sunod-sunod na pagsubok

### Consent

consent-title = Ibahagi ang iyong data sa { $company }
consent-intro = Gumagamit ang { $company } ng Linchpin para basahin ang data mula sa account na pipiliin mo. Ikaw ang magpapasya kung ibabahagi ito.
consent-data-title = Ano ang ibabahagi
consent-data-text = Mga detalye ng pagkakakilanlan, trabaho at kita, at mga dokumentong hawak ng provider tungkol sa iyo.
consent-data-choice = Data na hawak ng provider tungkol sa iyo. Sa susunod na pahina, pipiliin mo kung alin.
consent-time-title = Gaano kadalas at gaano katagal
consent-time-once = Isang beses lang babasahin ang iyong data. Buburahin ito 60 araw pagkatapos ng huli mong pagkonekta.
consent-time-daily = Babasahin ang iyong data ngayon at, kung pinapayagan ng provider, muli araw-araw. Buburahin ito 60 araw pagkatapos ng huli mong pagkonekta.
consent-time-weekly = Babasahin ang iyong data ngayon at, kung pinapayagan ng provider, muli bawat linggo. Buburahin ito 60 araw pagkatapos ng huli mong pagkonekta.
consent-time-monthly = Babasahin ang iyong data ngayon at, kung pinapayagan ng provider, muli bawat buwan. Buburahin ito 60 araw pagkatapos ng huli mong pagkonekta.
consent-sync-once = Isang beses lang babasahin ang iyong data. Buburahin ito 60 araw pagkatapos nitong huling basahin.
consent-sync-daily = Babasahin ang iyong data ngayon at, kung pinapayagan ng provider, muli araw-araw. Buburahin ito 60 araw pagkatapos nitong huling basahin.
consent-sync-weekly = Babasahin ang iyong data ngayon at, kung pinapayagan ng provider, muli bawat linggo. Buburahin ito 60 araw pagkatapos nitong huling basahin.
consent-sync-monthly = Babasahin ang iyong data ngayon at, kung pinapayagan ng provider, muli bawat buwan. Buburahin ito 60 araw pagkatapos nitong huling basahin.
consent-private-title = Ano ang mananatiling pribado
consent-private-text = Ang iyong password. Sa provider na pipiliin mo lang ito mapupunta; hindi ito makikita ng { $company }.
consent-stop-title = Paano ito ihinto
consent-stop-text = Sabihan ang { $company } anumang oras na tapusin ang access. Buburahin din ang iyong data.
consent-version = Bersyon { $version }
consent-agree = Sumang-ayon at magpatuloy
consent-choose = Piliin ang ibabahagi
consent-changed = Nagbago ang mga tuntunin mula nang makita mo ang mga ito. Pakibasa ulit.
consent-decline = Hindi muna

### Choosing what to share

data-choice-title = Piliin ang ibabahagi sa { $company }
data-choice-intro = Puwede mong tanggihan ang lahat ng hindi laging ibinabahagi at makakakonekta ka pa rin. Hindi matatanggap ng { $company } ang tinanggihan mo.
data-choice-required = Laging ibinabahagi
data-choice-optional = Ikaw ang pipili
data-choice-none = Ang laging ibinabahagi lang ang ibabahagi mo.
data-choice-some = Ibabahagi mo rin ang mga pinili mo: { $chosen } sa { $total }.
data-choice-uploads = Kung mag-a-upload ka ng dokumento, buong file ang ibabahagi.
data-identities = Pangalan at mga detalye sa pakikipag-ugnayan
data-documents = Mga dokumento at mga file nito
data-employments = Mga trabaho
data-incomes = Sahod
data-transactions = Mga bayad at transaksyon
data-contributions = Mga kontribusyon sa pondo
data-liabilities = Mga utang
data-eincomes = Mga tantiya ng buwanan mong kita
data-ratings = Mga rating sa platform
data-links = Kung kailan mo ikinonekta ang provider na ito
data-insights = Mga numerong kinuwenta mula sa iyong data

### Providers

providers-title = Piliin ang iyong provider
providers-intro = Nasaan ang account na gusto mong ikonekta?
providers-search = Maghanap ng provider
providers-search-placeholder = Hanapin ang pangalan
providers-search-clear = Burahin ang hinanap
providers-tabs = Uri ng provider
providers-tab-all = Lahat
providers-tab-government = Gobyerno
providers-tab-employer = Employer
providers-tab-gig = Gig platform
providers-tab-payroll = Payroll
providers-kind-government = Serbisyo ng gobyerno
providers-kind-employer = Employer
providers-kind-gig = Gig platform
providers-kind-payroll = Payroll provider
providers-list-top = Pinakamadalas gamitin
providers-list-all = Lahat ng provider
providers-list-found = Mga tumugmang provider
providers-loading = Nilo-load ang mga provider
providers-found = { $count ->
    [0] Walang nahanap na provider
   *[other] { $count } provider ang nahanap
}
providers-empty-title = Walang tumugmang provider
providers-empty-text = I-check ang spelling, o subukan ang mas maikling pangalan o ibang uri ng provider.
providers-show-all = Ipakita ang lahat ng provider
providers-none-title = Wala pang provider
providers-none-text = Wala pang na-set up na provider ang { $company }. Isara ang window na ito at ipaalam sa kanila.
providers-more = Magpakita pa
providers-missing = Hindi ko makita ang sa akin
provider-away = Hindi available sa ngayon
provider-loading = Binubuksan ang { $provider }
provider-missing-title = Hindi maikokonekta rito ang provider na ito
provider-missing-text = Hindi na ito inaalok. Pumili ng ibang provider, o isara ang window na ito.

### Ways to sign in

login-options-title = Paano ka nagla-log in sa { $provider }?
login-options-list = Mga paraan ng pag-log in

### Login

login-title = Mag-log in sa { $provider }
login-intro = Gamitin ang parehong detalye na ginagamit mo sa site ng { $provider }.
login-none-title = Ikonekta ang { $provider }
login-none-text = Hindi kailangan ng { $provider } ang login. Magpatuloy para ibahagi ang iyong data.
login-submit = Ikonekta
login-submitting = Kumokonekta
password-show = Ipakita ang password
password-hide = Itago ang password
password-caps-lock = Naka-on ang Caps Lock
field-optional = opsyonal
field-choose = Pumili ng isa
field-empty = Ilagay ito para magpatuloy.
field-empty-choice = Pumili ng isa para magpatuloy.
field-too-short = Maglagay ng hindi bababa sa { $min } character.
field-too-long = Maglagay ng hindi hihigit sa { $max } character.
field-digits = Gumamit lang ng mga numero.
field-alphanumeric = Gumamit lang ng mga letra at numero.
field-email = Maglagay ng e-mail address gaya ng pangalan@example.com.
field-phone = Maglagay ng numero ng telepono na may country code, gaya ng +63 917 123 4567.
field-curp = Ilagay ang 18 letra at numero ng iyong CURP ayon sa nakasulat sa certificate.
field-date = Maglagay ng totoong petsa: taon, buwan at araw.
field-choice = Pumili ng isa sa mga nakalista.
field-refused = Hindi ito tinatanggap ng { $provider }. I-check ito at subukan ulit.
field-space = May space sa simula o dulo. Alisin ito kung hindi dapat nandoon.
form-errors = { $count ->
    [1] May isang field na kailangan mong balikan.
   *[other] May { $count } field na kailangan mong balikan.
}
login-again = Ilagay ulit ang iyong password. Para sa iyong seguridad, hindi namin ito itinago.
login-restarted-title = Kinailangang magsimula ulit ang page na ito
login-restarted-text = Nagkaproblema sa panig namin. Narito pa rin ang na-type mo, maliban sa iyong password. I-check ito at pindutin ulit ang Ikonekta.
login-not-sent-title = Hindi nakarating sa amin ang iyong mga detalye
login-not-sent-text = Naputol ang koneksyon. I-check ang iyong internet connection, saka pindutin ulit ang Ikonekta.
login-renewed-title = Na-renew ang iyong session
login-renewed-text = Hindi naipadala ang inilagay mo. Pindutin ang Ikonekta para ipadala ito ngayon.
login-other-title = Ibang account ito
login-other-text = Mag-log in sa { $provider } gamit ang account na ikinonekta mo dati. Walang ipinadala sa { $provider }.
login-limit-title = Masyadong maraming pagsubok na mag-sign in
login-wait = Puwede mong subukan ulit pagkalipas ng { $seconds } segundo.
login-wait-minutes = Puwede mong subukan ulit pagkalipas ng { $minutes } minuto.
login-wait-hours = Puwede mong subukan ulit pagkalipas ng { $hours } oras.

### Connecting

connecting-title = Kumokonekta sa { $provider }
connecting-text = Karaniwang wala pang isang minuto ito. Panatilihing bukas ang window na ito.
connecting-slow = Mas matagal kaysa karaniwan ang { $provider }. Hinihintay pa rin namin ang sagot nito.
connecting-stage-sent = Ligtas na naipadala ang mga detalye
connecting-stage-login = Nagla-log in sa { $provider }
connecting-stage-answer = Sinusuri ang iyong sagot
connecting-stage-finish = Kinukumpirma ang koneksyon
connecting-lost-title = Naputol ang koneksyon
connecting-lost-text = Hindi namin maabot ang serbisyo at patuloy kaming sumusubok. Wala kang kailangang gawin.

### Confirming that it is you

challenge-code-title = Ilagay ang iyong code
challenge-code-sms = Nagpadala ang { $provider } ng code sa text. Darating ito sa loob ng isang minuto.
challenge-code-sms-to = Nagpadala ang { $provider } ng code sa text sa { $destination }.
challenge-code-email = Nagpadala ang { $provider } ng code sa iyong e-mail. Tingnan din ang spam folder.
challenge-code-email-to = Nagpadala ang { $provider } ng code sa { $destination }. Tingnan din ang spam folder.
challenge-code-voice = Tinatawagan ka ng { $provider } para ibigay ang code.
challenge-code-voice-to = Tinatawagan ng { $provider } ang { $destination } para ibigay ang code.
challenge-code-app = Buksan ang iyong authenticator app at ilagay ang code na ipinapakita nito para sa { $provider }.
challenge-code-label = Code
challenge-code-help = May { $length } character ito at ipapadala agad kapag nailagay mo na lahat.
challenge-choice-title = Kumpirmahing ikaw ito
challenge-choice-text = Hinihiling ng { $provider } na pumili ka ng isang sagot.
challenge-choice-missing = Pumili ng isang sagot para magpatuloy.
challenge-image-title = I-type ang nakikita mo
challenge-image-text = Nagpapakita ang { $provider } ng larawan para matiyak na tao ka.
challenge-image-alt = Mga letra o numerong iginuhit ng { $provider }
challenge-image-label = Mga character sa larawan
challenge-listen = Pakinggan na lang
challenge-listen-stop = Ihinto ang recording
challenge-listen-again = I-play ulit
challenge-listening = Nagpe-play ang recording.
challenge-listen-ended = Tapos na ang recording. I-type ang narinig mo.
challenge-listen-failed = Hindi na-play ang recording. Subukan ulit, o i-type ang mga character sa larawan.
challenge-question-title = Sagutin ang iyong security question
challenge-question-text = Nagtatanong ang { $provider } ng tanong na itinakda mo roon.
challenge-approve-title = Aprubahan sa iyong telepono
challenge-approve-text = Nagpadala ang { $provider } ng request sa app nito. Buksan ang app at aprubahan ito.
challenge-approve-on = Nagpadala ang { $provider } ng request sa { $device }. Buksan ito roon at aprubahan.
challenge-email-link-title = Buksan ang link sa iyong e-mail
challenge-email-link-text = Nagpadala sa iyo ang { $provider } ng e-mail na may link. Tingnan din ang spam folder.
challenge-email-link-to = Nagpadala ang { $provider } ng link sa { $destination }. Tingnan din ang spam folder.
challenge-redirect-title = Mag-sign in sa page ng provider
challenge-redirect-text = Magbubukas ang { $provider } sa ibang tab. Mag-sign in doon, at bumalik dito.
challenge-redirect-here = Magbubukas ang { $provider } sa page na ito. Mag-sign in doon, at babalik ka rito.
challenge-redirect-open = Magpatuloy sa { $provider }
challenge-redirect-left = Tapusin ang pag-sign in sa { $provider } sa kabilang tab. Kung isinara mo ito, magsimula ulit.
challenge-redirect-again = Magsimula ulit
challenge-redirect-nothing = Wala pang natatanggap mula sa { $provider }. Tapusin sa kabilang tab, o magsimula ulit.
challenge-waiting = Kusang magpapatuloy ang pahinang ito kapag nagawa mo na.
challenge-time-left = Natitirang oras: { $time }
challenge-time-low = Natitirang oras: { $time }. Puwede kang humingi ng dagdag na oras.
challenge-time-both = Natitirang oras: { $time }. Puwede mo itong ipadala ulit pagkalipas ng { $seconds } s.
challenge-extend = Kailangan ko ng dagdag na oras
challenge-extended = Nadagdagan na ang iyong oras.
challenge-resend = Ipadala ulit
challenge-resend-wait = Puwede mo itong ipadala ulit pagkalipas ng { $seconds } s.
challenge-resent = May bagong papunta na.
challenge-by-sms = Kumuha ng code sa text
challenge-by-email = Kumuha ng code sa e-mail
challenge-by-voice = Kumuha ng code sa tawag
challenge-by-app = Gumamit ng authenticator app
challenge-picture = Magpakita ng ibang larawan
challenge-picture-new = Ibang larawan na ito.
challenge-wrong = Hindi iyon tama. I-check ang iyong sagot at ilagay ulit.
challenge-wrong-choice = Hindi iyon tama. Pumili ng ibang sagot.
challenge-wrong-left = { $left ->
    [1] Hindi iyon tama. Ito na ang huling pagkakataon mo.
   *[other] Hindi iyon tama. May { $left } pagkakataon ka pa.
}
challenge-not-sent-title = Hindi nakarating sa amin ang iyong sagot
challenge-not-sent-text = Naputol ang koneksyon. I-check ang iyong internet connection, pagkatapos ay pindutin ulit ang Magpatuloy.
challenge-submit = Magpatuloy
challenge-checking = Sinusuri
challenge-unsupported-title = Hindi namin maipakita ang pagsusuring ito
challenge-unsupported-text = Hinihiling ng { $provider } na kumpirmahing ikaw ito sa paraang hindi pa kaya ng window na ito. Walang ibinahagi.
challenge-unsupported-next = Palitan ang paraan ng pagkumpirma sa settings ng { $provider }, o magkonekta ng ibang provider.

### Success

success-title = Nakakonekta ka na
success-text = Nakakonekta na ang { $provider } sa { $company }.
success-next = Kinukuha na ang iyong data sa background. Puwede mo nang isara ang window na ito.
success-another = Magkonekta ng isa pang account

### Why it failed: the error codes of the interface, and one for any other

error-account-disabled-title = Naka-disable ang account na ito
error-account-disabled-cause = Dinisable ng { $provider } ang account na ito kaya hindi ito maikokonekta.
error-account-disabled-next = Hilingin sa { $provider } na i-enable ito, saka kumonekta ulit.
error-account-inaccessible-title = Hindi mabuksan ang account na ito
error-account-inaccessible-cause = Tama ang iyong login, pero hindi kami pinapapasok ng { $provider } sa account sa ngayon.
error-account-inaccessible-next = Mag-log in sa site ng { $provider } para makita kung may kailangan kang gawin, saka subukan ulit.
error-account-incomplete-title = Hindi pa kumpleto ang iyong account
error-account-incomplete-cause = Ayon sa { $provider }, may mga hakbang pa sa iyong registration na hindi tapos.
error-account-incomplete-next = Tapusin ang iyong profile sa site ng { $provider }, saka kumonekta ulit.
error-account-locked-title = Naka-lock ang account na ito
error-account-locked-cause = Ni-lock ito ng { $provider }, karaniwan dahil sa ilang maling password.
error-account-locked-next = I-unlock muna ito sa site ng { $provider }. Puwedeng tumagal pa ang pagka-lock kung susubok ka pa rito.
error-auth-required-title = Hindi nakarating ang iyong login
error-auth-required-cause = Walang natanggap na user name at password ang { $provider } mula sa amin.
error-auth-required-next = Ilagay ulit ang iyong mga detalye.
error-expired-credentials-title = Nag-expire na ang iyong password
error-expired-credentials-cause = Gusto ng { $provider } na magtakda ka ng bagong password bago mag-log in.
error-expired-credentials-next = Palitan ito sa site ng { $provider }, saka kumonekta gamit ang bago.
error-invalid-account-type-title = Hindi maikokonekta ang ganitong uri ng account
error-invalid-account-type-cause = Kilala ka ng { $provider }, pero walang hinihinging data sa ganitong uri ng account.
error-invalid-account-type-next = Kung may iba ka pang account sa { $provider }, iyon ang gamitin.
error-invalid-auth-title = Hindi natuloy ang pag-log in
error-invalid-auth-cause = May nasira habang tinitingnan ng { $provider } kung sino ka. Maaaring tama naman ang iyong password.
error-invalid-auth-next = Subukan pa ng isang beses. Kung maulit ito, makipag-ugnayan sa support ng { $company }.
error-invalid-credentials-title = Hindi tumugma ang mga detalye
error-invalid-credentials-cause = Hindi tinatanggap ng { $provider } ang kombinasyong ito ng user name at password.
error-invalid-credentials-next = I-check ang spelling at malalaking letra, saka subukan ulit.
error-invalid-mfa-title = Masyadong maraming maling code
error-invalid-mfa-cause = Hindi tinanggap ng { $provider } ang mga sagot mo para kumpirmahing ikaw ito.
error-invalid-mfa-next = Mag-log in ulit para makakuha ng bagong code. Ang pinakabago lang ang gamitin.
error-declined-title = Tinanggihan ang request
error-declined-cause = May tumanggi sa request na ipinadala ng { $provider } para kumpirmahing ikaw ito. Walang ibinahagi.
error-declined-next = Kung ikaw ito at nagkamali ka, mag-log in ulit at aprubahan ang bagong request.
error-mfa-timeout-title = Naubos ang oras
error-mfa-timeout-cause = Hinintay ng { $provider } ang iyong kumpirmasyon at pagkatapos ay tumigil na.
error-mfa-timeout-next = Mag-log in ulit at ihanda ang iyong telepono o e-mail.
error-service-unavailable-title = Hindi sumasagot ang provider
error-service-unavailable-cause = Down o nasa maintenance ang { $provider } sa ngayon. Walang problema sa iyong mga detalye.
error-service-unavailable-next = Subukan ulit pagkalipas ng ilang minuto, o bumalik mamaya.
error-system-error-title = Nagkaproblema sa panig namin
error-system-error-cause = Hindi natuloy ang koneksyon sa { $provider } at hindi mo ito kasalanan. Walang ibinahagi.
error-system-error-next = Subukan ulit. Kung maulit ito, makipag-ugnayan sa support ng { $company }.
error-tos-required-title = May mga bagong tuntuning dapat tanggapin
error-tos-required-cause = Kailangan mong tanggapin ang terms of service ng { $provider } bago may makapag-log in para sa iyo.
error-tos-required-next = Mag-log in sa site ng { $provider }, tanggapin ang mga tuntunin, saka kumonekta ulit.
error-unsupported-auth-type-title = Hindi suportado ang ganitong paraan ng pag-log in
error-unsupported-auth-type-cause = Gumagamit ang iyong account sa { $provider } ng login na hindi namin magagawa, gaya ng login sa pamamagitan ng ibang kumpanya.
error-unsupported-auth-type-next = Gumamit ng ibang paraan ng pag-log in kung mayroon ka, o pumili ng ibang provider.
error-unsupported-mfa-method-title = Hindi suportado ang ganitong paraan ng pagkumpirma
error-unsupported-mfa-method-cause = Kinukumpirma ng { $provider } na ikaw ito sa paraang hindi namin magagawa, gaya ng security key.
error-unsupported-mfa-method-next = Lumipat sa mga code sa text o e-mail sa settings ng { $provider }, saka kumonekta ulit.
error-unknown-title = Hindi namin naikonekta ang iyong account
error-unknown-cause = Nag-ulat ang { $provider } ng problemang hindi pa namin kilala. Walang ibinahagi.
error-unknown-next = Subukan ulit mamaya. Kung maulit ito, makipag-ugnayan sa support ng { $company }.
error-try-again = Ilagay ulit ang mga detalye

### The session ended

expired-title = Natapos na ang iyong session
expired-text = Para sa iyong seguridad, limitado ang tagal ng isang session. Hinihiling namin sa { $company } na magpatuloy; hindi mawawala ang na-type mo.
expired-renewing-title = Itinutuloy kung nasaan ka
expired-renewing-text = Binubuksan ang bagong ligtas na session. Hindi mawawala ang na-type mo.
expired-start-title = Nag-expire na ang link na ito
expired-start-text = Isang beses lang gumagana ang link at sa maikling panahon. Kung hindi kusang magpatuloy ang pahinang pinanggalingan mo, isara ang window na ito at magsimulang muli.
expired-mismatch-title = Kinailangan naming huminto rito
expired-mismatch-text = Para sa ibang tao o pahina ang bagong session. Para protektahan ang iyong data, binura namin ang lahat. Isara ang window na ito at magsimulang muli.

### Leave?

leave-title = Umalis bago matapos?
leave-typed = Mabubura ang na-type mo.
leave-connecting = Hindi pa nakakonekta ang iyong account. Kung aalis ka ngayon, maaaring magsimula ka ulit.
leave-stay = Manatili rito
leave-leave = Umalis

### Already linked

accounts-title = Mga nakakonekta mong account
accounts-loading = Nilo-load ang iyong mga account
accounts-uploads = Mga dokumento mo
accounts-none = Walang nakakonekta sa ngayon.
accounts-back = Bumalik sa iyong mga account
account-title = Ang account mo sa { $provider }
account-action = Mag-log in ulit para manatiling updated
account-action-text = Hinihiling ng { $provider } na mag-log in ka ulit bago mabasa ang bagong data.
account-nothing = Wala kang kailangang gawin. Mananatili sa { $company } ang access na pinayagan mo hanggang matapos ito o mag-disconnect ka.
account-sign-in = Mag-log in ulit
account-reading = Binabasa
account-unread = Hindi nabasa
account-synced = { $days ->
    [0] Na-update ngayong araw
    [1] Na-update kahapon
   *[other] Na-update { $days } araw na ang nakalipas
}
account-added = { $days ->
    [0] Idinagdag ngayong araw
    [1] Idinagdag kahapon
   *[other] Idinagdag { $days } araw na ang nakalipas
}
account-missing-title = Wala rito ang account na ito
account-missing-text = Na-disconnect na ito, o sa ibang tao ito. Puwede kang magkonekta ng account ngayon.
revoke-title = I-disconnect ang { $provider }?
revoke-text = Mawawalan ng access ang { $company } sa account mo sa { $provider }, at buburahin ang data na nabasa mula rito. Puwede kang kumonekta ulit mamaya.
revoke-upload-title = Alisin ang dokumentong ito?
revoke-upload-text = Mawawalan ng access dito ang { $company }, at buburahin ang mga file nito at ang data na nabasa mula sa mga iyon.
revoke-disconnect = I-disconnect
revoke-remove = Alisin
revoke-keep = Panatilihin
revoke-busy = Binabawi ang access
revoke-done = Binawi na ang access at binubura na ang data.

### Can’t find it

survey-title = Sabihin sa amin kung sino ang wala pa
survey-text = Itinatala namin ang mga employer at provider na hinahanap ng mga tao at unti-unti silang idinaragdag.
survey-label = Employer o provider
survey-submit = Ipadala
survey-thanks-title = Salamat, naitala na
survey-thanks-text = Hindi pa ito maikokonekta. Puwede kang pumili ng ibang provider.
survey-thanks-upload = Hindi pa ito maikokonekta. Puwede kang mag-upload ng dokumento.

### Documents

uploads-title = Mag-upload ng dokumento
uploads-text = Ano ang gusto mong ibigay sa { $company }?
uploads-list = Mga uri ng dokumento
archive-payslip = Payslip
archive-payslip-hint = Ang pinakabago, kasama ang lahat ng pahina.
archive-tax = Dokumento sa buwis
archive-tax-hint = Ang huli mong ITR o taunang statement.
archive-company = Company ID
archive-company-hint = Ang ID mo sa trabaho, harap at likod.
archive-identity = Katibayan ng pagkakakilanlan
archive-identity-hint = Passport, national ID o driver’s license.
archive-clearance = Clearance
archive-clearance-hint = Mula sa NBI, pulis, korte o employer.
archive-certificate = Certificate
archive-certificate-hint = Ng iyong trabaho o mga kontribusyon.
archive-bank = Bank statement
archive-bank-hint = Ng huling buong buwan, kasama ang lahat ng pahina.
upload-rules = PDF, JPEG, HEIC, PNG o TIFF, hanggang 15 MB bawat isa.
upload-rules-pages = Hanggang { $limit } file: PDF, JPEG, HEIC, PNG o TIFF, hanggang 15 MB bawat isa.
upload-front = Harap
upload-back = Likod
upload-back-text = Hindi kailangan kung passport.
upload-pages = Magdagdag ng mga file
upload-pages-text = Piliin, i-drop o i-paste dito.
upload-again = Piliin ulit ang hindi natapos na file para magpatuloy. Ang kulang lang ang ipapadala.
upload-choose = Pumili ng file
upload-camera = Kumuha ng litrato
upload-files = Mga file mo
upload-looking = Tinitingnan
upload-missing = { $percent } % ang naipadala na dati
upload-waiting = Naghihintay
upload-offline = Walang koneksyon. Naghihintay ang iyong mga file at kusang magpapatuloy.
upload-online = Bumalik na ang koneksyon.
upload-sending = { $percent } % ng { $size } MB
upload-retrying = Naputol ang koneksyon. Sinusubukan ulit.
upload-paused = Naka-pause sa { $percent } %
upload-stuck = Hindi ito naipadala.
upload-sent = Na-upload, { $size } MB
upload-refused = Hindi naidagdag, { $size } MB
upload-removing = Inaalis
upload-announce = { $name }: { $percent } % ang na-upload
upload-pause = I-pause ang { $name }
upload-continue = Ituloy ang { $name }
upload-remove = Alisin ang { $name }
upload-surplus = { $added } sa { $offered } file ang naidagdag. Hanggang { $limit } lang.
upload-clear = Alisin ang mga file na hindi naidagdag
upload-summary = { $files ->
    [one] { $files } file, { $size } MB, handa nang isumite
   *[other] { $files } file, { $size } MB, handa nang isumite
}
upload-submit = Isumite
upload-loss = Hindi pa naisumite ang iyong upload. Kung aalis ka ngayon, kakailanganin mong piliin ulit ang mga file.
file-duplicate = Naidagdag mo na ang file na ito.
file-empty = Walang laman ang file na ito.
file-too-large = Mas malaki sa 15 MB ang file na ito. Paliitin ito, o kunan ng litrato ang bawat pahina.
file-unsupported = Hindi mabasa ang file na ito. I-save o i-print ito bilang PDF, o kumuha ng screenshot nito, at idagdag iyon. Puwede ang PDF, JPEG, HEIC, PNG at TIFF.
file-extra = May iba pang data ang file na ito bukod sa dokumento. I-print ito sa bagong PDF o kumuha ng bagong litrato, at idagdag iyon.
file-encrypted = May password ang file na ito. I-save ito nang walang password at idagdag ulit.
file-damaged = Sira o hindi kumpleto ang file na ito. Buksan ito sa iyong device para i-check, saka idagdag ulit.
file-too-many-pages = Mahigit 30 pahina ang file na ito. Idagdag lang ang mga pahinang mahalaga.
file-too-many-pixels = Masyadong malaki ang larawang ito. Kunan ulit sa mas mababang resolution.
file-too-many = Wala nang lugar para sa file na ito. Mag-alis muna ng iba.
file-quota = Naabot mo na ang pinapayagang dami ng upload. Subukan ulit bukas.
file-mismatch = Nagbago o nawala na ang file na ito. Alisin ito at idagdag ulit.
upload-remove-title = Alisin ang upload na ito?
upload-remove-text = Buburahin ang mga file na idinagdag mo. Walang naisumite.
upload-remove-yes = Alisin
upload-remove-no = Panatilihin
photo-title = Tingnan ang litrato
photo-text = Nababasa ba ang bawat salita? Nasa litrato ba ang buong papel?
photo-blurred = Mukhang malabo ang litratong ito. Kung hindi mabasa ang maliliit na letra, kunan ulit nang hindi gumagalaw ang kamay.
photo-dark = Madilim ang litratong ito. Kunan ulit sa mas maliwanag, at walang anino sa papel.
photo-alt = Litrato { $name }
photo-turn = I-rotate
photo-frame = I-crop
photo-use = Gamitin ang litratong ito
photo-retake = Alisin at kunan ulit
photo-discard = Alisin
photo-frame-title = I-crop ang litrato
photo-frame-text = I-drag ang mga gilid hanggang sa mga gilid ng papel.
photo-left = Kaliwang gilid
photo-top = Itaas na gilid
photo-right = Kanang gilid
photo-bottom = Ibabang gilid
photo-crop = I-crop
photo-unframe = Kanselahin
photo-waiting = Naghihintay na tingnan mo ito
photo-help = Ilatag ang papel sa maliwanag na lugar, at isama ang buong papel sa litrato.
reading-title = Binabasa ang iyong dokumento
reading-text = Karaniwang wala pang isang minuto ito. Puwede mong isara ang window na ito; tuloy pa rin ang pagbasa.
reading-received = Natanggap ang mga file
reading-queued = Naghihintay na mabasa
reading-pages = Binabasa ang mga pahina
reading-checked = Sinusuri ang mga nakita
archive-read-title = Nabasa na ang iyong dokumento
archive-read-text = Magagamit na ng { $company } ang nilalaman nito.
archive-another = Mag-upload ng isa pang dokumento
archive-unrecognized-title = Hindi namin nabasa ang dokumentong ito
archive-unrecognized-next = Kunan ulit ng litrato: patag, maliwanag, walang silaw, at kita ang apat na sulok. Pinakamainam ang PDF mula sa nag-isyu nito.
archive-unknown-title = Hindi namin kilala ang uri ng dokumentong ito
archive-unknown-next = Nabasa ang teksto, pero mukhang hindi ito ang hinihinging dokumento. Tiyaking buo ito, o mag-upload ng iba.
archive-people-title = Mula sa ilang tao ang mga dokumentong ito
archive-people-next = Mag-upload lang ng mga dokumento ng isang tao: ang sa iyo.
archive-form-title = Hindi mabasa ang form na ito
archive-form-next = Wala sa mga pahina nito ang mga sagot. Buksan ito, piliin ang Print, i-save bilang PDF, saka i-upload ang bagong file.
archive-portfolio-title = May ibang file sa loob ng PDF na ito
archive-portfolio-next = Buksan ito, i-save nang hiwalay ang dokumentong kailangan, saka i-upload iyon.
archive-chosen = Ang uri na pinili mo
archive-wrong-title = Mukhang ibang uri ito ng dokumento
archive-wrong-next = Piliin ang tamang uri nito, o i-upload ang hinihingi.
archive-unreadable-title = May file na hindi mabuksan
archive-unreadable-next = Sira ito o may password. I-save ulit nang walang password, saka i-upload.
archive-away-title = Hindi pa ito mababasa sa ngayon
archive-away-next = Walang problema sa iyong mga file. Subukan ulit pagkalipas ng ilang minuto.
archive-fault-title = Nagkaproblema sa panig namin
archive-fault-next = Walang problema sa iyong mga file. I-upload ulit ang mga ito.
archive-again = Mag-upload ulit
archive-other = Pumili ng ibang uri

### On the phone

handoff-offer = Ituloy sa telepono
handoff-title = Ituloy sa iyong telepono
handoff-scan = Itapat ang camera ng telepono sa code na ito, at buksan ang pahinang inaalok nito.
handoff-once = Isang beses lang gumagana ang code, sa loob ng 10 minuto. Huwag itong ipakita kahit kanino: maaari silang magpatuloy bilang ikaw.
handoff-alt = QR code na magbubukas ng hakbang na ito sa iyong telepono
handoff-here = Dito na lang ituloy
handoff-again = Magpakita ng bagong code
handoff-continued-title = Itinutuloy mo sa telepono
handoff-continued-text = Panatilihing bukas ang pahinang ito. Kusa itong magpapatuloy kapag tapos ka na sa telepono.
handoff-continued-warning = Hindi ikaw iyon? Piliin ang “Dito na lang ituloy”, at wala nang magagawa ang kabilang device.
handoff-expired-title = Nag-expire na ang code
handoff-expired-text = Walang nawala. Magpakita ng bagong code, o dito na lang ituloy.
handoff-left-title = Umalis ka sa pahina sa telepono
handoff-left-text = Hindi mawawala ang naipadala mo na. Magpakita ng bagong code, o dito na lang ituloy.
handoff-arrival-title = Ituloy sa teleponong ito
handoff-arrival-text = Itutuloy mo rito ang sinimulan mo sa computer kasama ang { $company }.
handoff-arrival-warning = Magpatuloy lang kung na-scan mo ang code mula sa sarili mong screen. Kung may nagpadala nito sa iyo, isara ang pahinang ito: makukuha nila ang ilalagay mo.
handoff-continue = Magpatuloy
handoff-done-title = Tapos na rito
handoff-done-text = Bumalik sa iyong computer. Doon ito magpapatuloy.
handoff-back-title = Ituloy sa iyong computer
handoff-back-text = Makikita sa computer mo ang susunod na gagawin. Maaari mong isara ang pahinang ito.
handoff-dead-title = Hindi na gumagana ang code na ito
handoff-dead-text = Isang beses lang gumagana ang code, sa loob ng 10 minuto. Magpakita ng bago sa computer at i-scan ito.
