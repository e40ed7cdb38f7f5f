# Filipino. The keys are those of en.ftl. Conventions: docs/reference/languages.md.

### Lahat ng page ng imbitasyon

page-footer = Ginagamit ng { $company } ang Linchpin para basahin ang mga account nang may pahintulot mo. Ipinapadala lang ang password mo sa provider na pinili mo.

### Ang link sa email

page-link-unknown-title = Hindi valid ang link na ito
page-link-unknown-text = Baka napalitan na ito ng mas bago, o binawi na ang imbitasyon. Hanapin ang pinakabagong email mula sa kumpanyang nag-imbita sa iyo.
page-link-used-title = Nagamit na ang link na ito
page-link-used-text = Isang beses lang gumagana ang bawat link. Puwede kaming magpadala ng bago sa parehong address.
page-link-expired-title = Nag-expire na ang link na ito
page-link-expired-text = Valid ito nang { $days } araw. Puwede kaming magpadala ng bago sa parehong address.
page-link-again = Padalhan ako ng bagong link
page-link-sent-title = Parating na ang bagong link
page-link-sent-text = Ipinapadala namin ito sa parehong address ng una. Puwede mo nang isara ang page na ito.
page-link-early-title = Wala pang isang minuto nang padalhan ka namin ng email
page-link-early-text = Maghintay ng isang minuto para dumating ito. Kung hindi dumating, humiling ng isa pa.
page-link-ended-title = Tapos na ang imbitasyong ito
page-link-ended-text = Hindi na kami makakapagpadala ng isa pang link para dito. Humingi ng bagong imbitasyon sa { $company }.

### Ang pagbisita

page-visit-over-title = Tapos na ang pagbisita mo
page-visit-over-text = Buksan ulit ang link mo. Kung nagamit na ito, sasabihin ng page kung paano kumuha ng bago.
page-widget-opening = Binubuksan ang window para sa pag-link ng account mo.
page-widget-script = Kailangan ng JavaScript para mag-link ng account. I-enable ito para sa page na ito.
page-widget-closed = Isinara mo ang window bago na-link ang isang account. Puwede kang magpatuloy kung saan ka huminto.
page-widget-limited = Masyadong madalas nang binuksan ang page na ito ngayong araw. Subukan ulit mamaya.
page-widget-broken = Nagkaproblema. I-reload ang page na ito.

### A hosted link

page-hosted-used-text = Isang beses lang gumagana ang bawat link, sa browser na unang nagbukas nito. Magpatuloy doon, o humingi ng bagong link sa { $company }.
page-hosted-expired-text = Humingi ng bagong link sa { $company }. Walang mawawala sa mga na-link mo na.

### The phone

page-phone-title = Magpatuloy sa telepono mo
page-phone-opening = Nilo-load ang page.
page-phone-script = Kailangan ng page na ito ang JavaScript. Paki-enable ito.
page-phone-scan = Ipakita ang code sa computer mo, at i-scan ulit ito.
page-phone-done = Puwede mo nang isara ang page na ito.
page-phone-broken = May nangyaring mali. Magpakita ng bagong code sa computer mo, at i-scan ito.
page-phone-unknown-title = Hindi valid ang code na ito

### The login on a provider’s page

page-sign-in-ask-title = Mag-sign in sa { $provider }?
page-sign-in-ask-text = Hinihiling ng { $company } na mag-sign in ka sa page ng provider. Pagkatapos, makakatanggap ito ng data mula sa account mo.
page-sign-in-ask-warning = Magpatuloy lang kung ikaw mismo ang nagsimula nito. Kung may nagpadala sa iyo ng address na ito, isara ang page na ito: makukuha nila ang data mo.
page-sign-in-ask-button = Magpatuloy sa { $provider }
page-sign-in-here = Magpatuloy sa window na ito
page-sign-in-here-text = Magpatuloy para makita ang lagay ng iyong pag-sign in. Puwede kang magsimula ulit doon.
page-sign-in-received-title = Puwede ka nang bumalik
page-sign-in-received-text = Bumalik sa kabilang window. Kusa itong magpapatuloy doon. Puwede mo nang isara ang page na ito.
page-sign-in-refused-title = Hindi ka nagbigay ng access
page-sign-in-refused-text = Walang ibinahagi. Bumalik sa kabilang window para subukan ulit o pumili ng ibang provider. Puwede mo nang isara ang page na ito.
page-sign-in-failed-title = Hindi ka na-sign in ng provider
page-sign-in-failed-text = Walang ibinahagi. Bumalik sa kabilang window, kung saan nakasaad ang susunod na gagawin. Puwede mo nang isara ang page na ito.
page-sign-in-over-title = Tapos na ang pag-sign in na ito
page-sign-in-over-text = Natapos na ito, o sinimulan ulit. Bumalik sa kabilang window para makita ang lagay nito. Puwede mo nang isara ang page na ito.
page-sign-in-expired-title = Masyadong nagtagal ang pag-sign in na ito
page-sign-in-expired-text = Bumalik sa kabilang window, at magsimula ulit doon.
page-sign-in-browser-title = Sinimulan sa ibang browser ang pag-sign in na ito
page-sign-in-browser-text = Bumalik sa window kung saan ka nagsimula, at buksan mula roon ang page ng provider, sa parehong browser.
page-sign-in-issuer-title = Hindi galing sa provider mo ang tugon
page-sign-in-issuer-text = Para protektahan ka, hindi namin ito ginamit. Bumalik sa kabilang window, at magsimula ulit doon.
page-sign-in-unknown-title = Hindi valid ang address na ito
page-sign-in-unknown-text = Bumalik sa kabilang window, at magsimula ulit doon.

### A link site

page-site-unknown-title = Walang ganitong page
page-site-unknown-text = Tingnan ang address, o tanungin ang kompanyang nagbigay nito sa iyo.
page-site-draft-title = Hindi pa bukas ang page na ito
page-site-draft-text = Hindi pa ito inilalathala ng { $company }. Subukang muli mamaya.
page-site-closed-title = Sarado na ang page na ito
page-site-closed-text = Hindi na tumatanggap ng mga sagot dito ang { $company }.
page-site-full-title = Kumpleto na ang page na ito
page-site-full-text = Natanggap na ng { $company } ang lahat ng sagot na hiningi nito.
page-site-invited-title = Kailangan ng imbitasyon sa page na ito
page-site-invited-text = Buksan ang link sa email mula sa { $company }.
page-site-redirect = Magpatuloy sa { $company }

### Ang form

page-form-title = Ilang tanong muna
page-form-wrong = Itama ang mga field na may marka sa ibaba.
page-form-continue = Magpatuloy
page-form-choose = Pumili…
page-form-optional = (opsyonal)
page-form-required = Kailangan ito.
page-form-long = Hanggang { $count } character lang ito.
page-form-email = Dapat itong email address, gaya ng pangalan@example.com.
page-form-phone = Dapat itong numero ng telepono na may country code.
page-form-date = Dapat itong petsa, gaya ng 1990-05-24.
page-form-choice = Dapat itong isa sa mga pagpipilian.
page-form-number = Dapat itong isang numero, tulad ng 1250.50.
page-form-short = Dapat itong may hindi bababa sa { $count } character.
page-form-digits = Mga digit lang dapat ito.
page-form-alphanumeric = Mga letra at digit lang dapat ito.
page-form-curp = Dapat itong ang 18 letra at digit ng isang CURP.
page-form-more = May dagdag na tanong dahil sa iyong mga sagot. Pakisagot din ang mga ito.
page-form-retry = Pakitingnan ang iyong mga sagot, at pindutin muli ang button.
page-form-saved = Natatanggap ng { $company } ang iyong mga sagot habang ibinibigay mo ang mga ito. Makakabalik ka sa page na ito sa loob ng 5 oras.
page-form-bait = Iwanang blangko ang field na ito

### The files of a form

page-file-rules = { $formats }, hanggang { $size } MB bawat isa.
page-file-limit = Hanggang { $count } file.
page-file-remove = Alisin ang { $name }
page-file-failed = Hindi ito naipadala.
page-file-empty = Walang laman ang file na ito.
page-file-large = Mas malaki sa { $size } MB ang file na ito.
page-file-format = Iba ang format ng file na ito. Magdagdag ng isa sa mga ito: { $formats }.
page-file-extra = May iba pang data ang file na ito bukod sa dokumento. I-print ito sa bagong PDF o kumuha ng bagong litrato, at idagdag iyon.
page-file-encrypted = May password ang file na ito. I-save ito nang walang password at idagdag ulit.
page-file-damaged = Sira o hindi kumpleto ang file na ito. Buksan ito sa iyong device para i-check, saka idagdag ulit.
page-file-pages = Mahigit 30 pahina ang file na ito. Idagdag lang ang mga pahinang mahalaga.
page-file-pixels = Masyadong malaki ang larawang ito. Kunan ulit sa mas mababang resolution.
page-file-many = Wala nang lugar para sa file na ito. Mag-alis muna ng iba.
page-file-quota = Naabot mo na ang pinapayagang dami ng upload. Subukan ulit bukas.
page-file-mismatch = Nagbago o nawala na ang file na ito. Alisin ito at idagdag ulit.

### Ang katapusan

page-done-linked = Naka-link na ang account mo.
page-done-uploaded = Na-upload na ang mga dokumento mo.
page-done-both = Naka-link na ang account mo, at na-upload na ang mga dokumento mo.
page-complete-known-title = Nagawa mo na ito
page-complete-known-linked = Naka-link ang account mo sa { $company }. Wala nang kailangang gawin.
page-complete-known-uploaded = Na-upload ang mga dokumento mo para sa { $company }. Wala nang kailangang gawin.
page-complete-title = Kumpleto na ang imbitasyong ito
page-complete-linked = May account na na-link gamit ito. Kung sa iyo ito ipinadala at hindi ikaw ang gumawa nito, sabihan ang { $company }.
page-complete-uploaded = May mga dokumentong na-upload gamit ito. Kung sa iyo ito ipinadala at hindi ikaw ang gumawa nito, sabihan ang { $company }.

### Mga request na hindi natuloy

page-foreign-title = Galing sa ibang site ang request na ito
page-foreign-text = Para protektahan ka, hindi namin ito pinroseso. Buksan ang link sa imbitasyon mo at pindutin ang button doon.
page-busy-title = Masyadong maraming request
page-busy-text = Subukan ulit pagkalipas ng ilang segundo.
page-failed-title = Nagkaproblema
page-failed-text = Hindi mo ito kasalanan, at walang nawala. Subukan ulit pagkalipas ng isang minuto.
page-suspended-title = Hindi available ang page na ito sa ngayon
page-suspended-text = Bumalik na lang mamaya. Walang nawala sa mga inilagay mo.
page-retry = Subukan ulit

### Pagpapatigil ng lahat ng email

stop-title = Itigil ang lahat ng email sa address na ito?
stop-text = Hindi ka na makakatanggap ng email mula sa serbisyong ito, kahit sino pa ang humiling na ipadala namin ito. Gagana pa rin ang mga imbitasyong natanggap mo na. Hindi rin darating ang mga code na ikaw mismo ang humiling.
stop-button = Itigil ang lahat ng email sa address ko
stop-abuse = Para mag-report ng pang-aabuso, sumulat sa { $address }.
stop-done-title = Itinigil na ang email sa address mo
stop-done-text = Hindi na kami magpapadala ng email dito. Puwede mo nang isara ang page na ito.
stop-unknown-title = Hindi kumpleto ang link na ito
stop-unknown-text = Kopyahin ang buong link mula sa email papunta sa browser mo, o sumulat sa address na nasa email.

### Ang mga pahina na humihingi ng patunay ng email address, at ang email na may code

page-proof-title = Kumpirmahin ang iyong email address
page-proof-text = Hinihingi ng { $company } ang iyong email address bago ka magpatuloy. Magpapadala kami ng code dito.
page-proof-address = Iyong email address
page-proof-send = Padalhan ako ng code
page-proof-code-title = Ilagay ang code
page-proof-code-text = Nagpadala kami ng email na may code sa { $address }. Gagana ang code sa loob ng 10 minuto. Kung hindi mo makita ang email, tingnan ang spam folder.
page-proof-code = Code na may 6 na digit
page-proof-again = Magpadala ng ibang code
page-proof-correct = Gumamit ng ibang address
page-proof-digits = Ilagay ang 6 na digit ng code.
page-proof-wrong = Hindi ito ang code sa huling email namin. Tingnan ito at subukan ulit.
page-proof-over = Hindi na gumagana ang code na ito. Humingi ng bago.
page-proof-soon = Wala pang isang minuto mula nang magpadala kami ng code. Maghintay ng isang minuto bago humingi ng bago.
page-proof-most = Nakapagpadala na kami ng 4 na code, at hindi na kami makakapagpadala pa sa pagbisitang ito. Ilagay ang code sa huling email namin, o magsimula ulit pagkalipas ng 10 minuto.
page-proof-ended = Hindi na gumagana ang code na ito, at nakapagpadala na kami ng 4 na code. Magsimula ulit.
page-proof-busy = Masyadong maraming code ang hiningi mula sa network mo. Subukan ulit pagkalipas ng ilang minuto.
page-proof-unavailable = Hindi kami makapagpadala ng code sa ngayon. Subukan ulit bukas.
page-proof-refused = Hindi kami makapagpadala ng email sa address na ito ngayon. Tingnan ito, o gumamit ng ibang address.
proof-mail-subject = Ang code mo para sa { $company }
proof-mail-body = Ilagay ang code na ito sa pahina ng { $company } para kumpirmahin ang iyong email address.
proof-mail-note = Gagana ang code sa loob ng 10 minuto, at sa pahina lang kung saan ito hiningi. Huwag itong ibigay sa iba.
proof-mail-reason = May naglagay ng address mo sa isang pahina ng { $company }. Kung hindi ikaw iyon, huwag pansinin ang email na ito.

### A person's own page, and the mail with its link. They have no tenant

me-title = Ang iyong data
me-ask-text = Tingnan kung ano ang ibinigay mo sa mga kumpanya gamit ang Linchpin, mag-download ng kopya, itigil ang pagbabahagi o ipabura ito. Magpapadala kami ng link sa iyong email.
me-ask-label = Ang address kung saan ipinadala ang imbitasyon mo
me-ask-button = Padalhan ako ng link
me-ask-again = Humingi ng link
me-asked-title = Tingnan ang iyong email
me-asked-text = Kung may hawak kaming data na ibinigay gamit ang link na ipinadala sa address na ito, may paparating na email na may link. Isang beses lang gagana ang link, sa loob ng 30 minuto. Walang matatanggap ang address kung saan itinigil ang aming email.
me-open-title = Buksan ang iyong pahina
me-open-text = Ipapakita ng button ang iyong data sa device na ito nang 30 minuto. Isang beses lang gagana ang link.
me-open-button = Ipakita ang data ko
me-open-over = Nagamit na ito o lumipas na ang oras nito. Humingi ng bago.
me-over-title = Sarado na ang iyong pahina
me-over-text = Humingi ng bagong link para makita ulit ang iyong data.
me-list-text = Ibinigay mo ito gamit ang link sa email sa iyong address. Para sa data na ibinigay mo sa ibang paraan, magtanong sa kumpanya.
me-list-empty = Wala kaming hawak na data na ibinigay mo gamit ang link sa email sa iyong address.
me-sandbox = Pansubok lang ito: hindi totoo ang data.
me-given = Ibinigay noong
me-until = Itatago hanggang
me-until-synced = Itatago, kung hindi maa-update bago noon, hanggang
me-unfinished = Hindi nakakonekta; buburahin sa
me-shared = Ibinabahagi mo
me-form = Mga sagot sa form
me-consent = Ang tekstong sinang-ayunan mo
me-copy-json = I-download bilang JSON
me-copy-pdf = I-download bilang PDF
me-stop = Itigil ang pagbabahagi
me-erase = Burahin
me-erase-all = Burahin ang lahat
me-leave = Umalis
me-back = Bumalik sa iyong data
me-stop-title = Ititigil ang pagbabahagi sa { $company }?
me-erase-title = Buburahin ang ibinigay mo sa { $company }?
me-end-text = Wala nang bagong data na makukuha ang { $company }, at buburahin namin ang hawak namin. Hindi na ito mababawi.
me-end-copies = Maaaring may nakopya nang data ang { $company }. Hilingin sa { $company } na burahin ang mga kopya nito.
me-done-title = Nabura na ang iyong data
me-done-text = Hindi na ito mababasa ng { $company } dito.
me-page-link = Tingnan o burahin ang data na ibinigay mo
me-mail-subject = Ang link sa iyong data
me-mail-body = Buksan ang iyong pahina para makita ang ibinigay mo sa mga kumpanya, i-download ito, o ipabura. Isang beses lang gagana ang link, sa loob ng 30 minuto.
me-mail-reason = May naglagay ng address mo sa aming pahina. Kung hindi ikaw iyon, huwag pansinin ang email na ito: ang link na ito lang ang nagpapakita ng data.
portal-mail-subject = Mag-sign in sa portal ng developer
portal-mail-body = Isang beses kang isa-sign in ng link sa portal ng developer, sa loob ng 10 minuto mula sa iyong hiling.
portal-mail-several = Pumili ng organisasyon sa portal ng developer. Magagamit mo ang isa sa mga link na ito, isang beses, sa loob ng 10 minuto mula sa iyong hiling.
portal-mail-button = Mag-sign in sa { $company }
portal-mail-reason = Inilagay ang iyong address sa sign-in page ng portal ng developer. Kung hindi ikaw ang gumawa nito, huwag pansinin ang email na ito at huwag ipasa ang link.
me-data-identities = Pangalan at mga detalye sa pakikipag-ugnayan
me-data-documents = Mga dokumento at mga file nito
me-data-employments = Mga trabaho
me-data-incomes = Sahod
me-data-transactions = Mga bayad at transaksyon
me-data-contributions = Mga kontribusyon sa pondo
me-data-liabilities = Mga utang
me-data-eincomes = Mga tantiya ng buwanan mong kita
me-data-ratings = Mga rating sa platform
me-data-links = Kung kailan mo ikinonekta ang provider na ito
me-data-insights = Mga numerong kinuwenta mula sa iyong data
me-archive-payslip = Slip ng sahod
me-archive-tax = Dokumento sa buwis
me-archive-company = ID sa kumpanya
me-archive-identity = Katibayan ng pagkakakilanlan
me-archive-clearance = Katibayan ng clearance
me-archive-certificate = Sertipiko
me-archive-bank = Pahayag ng bangko

### Ang email ng imbitasyon

mail-link = Para lang sa iyo ang link na ito at isang beses lang gumagana.
mail-copy = Kung hindi gumagana ang button, kopyahin ang address na ito sa browser mo:
mail-reason = Hiniling ng { $company } na ipadala namin sa iyo ang email na ito.
mail-stop = Itigil ang lahat ng email namin sa address na ito
mail-abuse = Mag-report ng pang-aabuso:

### Ang mga teksto ng template ng imbitasyon ng bagong tenant

default-subject = Hinihiling ng { $company } na mag-link ka ng account
default-greeting = Kumusta { $name },
default-body = Hinihiling ng { $company } na i-link mo ang account mo sa iyong social security, employer o app na pinagtatrabahuhan mo. Ilang minuto lang ito, at hindi kailanman makikita ng { $company } ang password mo.
default-landing-header = Kumusta { $name }
default-landing-intro = Hinihiling ng { $company } na mag-link ka ng account.
default-landing-text = Ikaw ang pipili ng provider, makikita mo kung anong impormasyon ang babasahin, at doon ka magla-log in. Puwede mong bawiin ang pahintulot mo anumang oras.
default-landing-button = Mag-link ng account
default-success-header = Salamat, { $name }
default-success-text = Inabisuhan na namin ang { $company }. Puwede mo nang isara ang page na ito.
