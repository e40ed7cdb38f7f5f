# Indonesian. The keys are those of en.ftl, grouped by screen.
# Style: "Anda", tenang dan tepat. Apa yang terjadi, lalu apa yang bisa dilakukan. Tanpa menyalahkan, tanpa tanda seru.

### The frame around every screen

dialog-title = Hubungkan akun
header-back = Kembali
header-close = Tutup
header-sandbox = Uji coba
footer-password = { $company } tidak pernah melihat kata sandi Anda.
footer-consent = { $company } hanya melihat data yang Anda setujui untuk dibagikan.
help-link = Dapatkan bantuan (dibuka di tab baru)

### Buttons used on several screens

action-retry = Coba lagi
action-close = Tutup
action-done = Selesai
action-choose-another = Pilih penyedia lain
action-another-login = Gunakan data masuk lain
action-upload = Unggah dokumen saja
action-more = Lainnya

### Starting

starting-title = Menyiapkan
starting-text = Membuka sesi yang aman. Hanya perlu sebentar.
refused-title = Tautan ini tidak dapat dibuka
refused-text = Tautan ini sudah tidak berlaku. Tutup jendela ini, lalu mulai lagi dari halaman sebelumnya.

### A request that failed

slow-title = Ini memerlukan waktu lebih lama dari biasanya
slow-text = Kami masih menunggu jawaban. Anda dapat terus menunggu, mencoba lagi, atau menutup jendela ini.
offline-title = Anda sepertinya sedang offline
offline-text = Kami tidak dapat menghubungi layanan. Periksa koneksi internet Anda, lalu coba lagi.
unavailable-title = Layanan tidak merespons
unavailable-text = Masalahnya ada di pihak kami dan data yang Anda isi tidak hilang. Tunggu sebentar, lalu coba lagi.
trapped-title = Terjadi masalah di pihak kami
trapped-text = Coba lagi untuk melanjutkan dari tempat Anda berhenti.
busy-title = Terlalu banyak percobaan sekaligus

### Consent

consent-title = Bagikan data Anda kepada { $company }
consent-intro = { $company } menggunakan Linchpin untuk membaca data dari akun yang Anda pilih. Anda yang memutuskan apakah data itu dibagikan.
consent-data-title = Data yang dibagikan
consent-data-text = Data identitas, pekerjaan, dan penghasilan, serta dokumen tentang Anda yang disimpan penyedia.
consent-data-choice = Data tentang Anda yang disimpan penyedia. Di halaman berikutnya Anda memilih yang mana.
consent-time-title = Seberapa sering dan berapa lama
consent-time-once = Data Anda dibaca satu kali. Data dihapus 60 hari setelah terakhir kali Anda menghubungkan akun.
consent-time-daily = Data Anda dibaca sekarang dan, jika penyedia mengizinkan, lagi setiap hari. Data dihapus 60 hari setelah terakhir kali Anda menghubungkan akun.
consent-time-weekly = Data Anda dibaca sekarang dan, jika penyedia mengizinkan, lagi setiap minggu. Data dihapus 60 hari setelah terakhir kali Anda menghubungkan akun.
consent-time-monthly = Data Anda dibaca sekarang dan, jika penyedia mengizinkan, lagi setiap bulan. Data dihapus 60 hari setelah terakhir kali Anda menghubungkan akun.
consent-sync-once = Data Anda dibaca satu kali. Data dihapus 60 hari setelah terakhir kali dibaca.
consent-sync-daily = Data Anda dibaca sekarang dan, jika penyedia mengizinkan, lagi setiap hari. Data dihapus 60 hari setelah terakhir kali dibaca.
consent-sync-weekly = Data Anda dibaca sekarang dan, jika penyedia mengizinkan, lagi setiap minggu. Data dihapus 60 hari setelah terakhir kali dibaca.
consent-sync-monthly = Data Anda dibaca sekarang dan, jika penyedia mengizinkan, lagi setiap bulan. Data dihapus 60 hari setelah terakhir kali dibaca.
consent-private-title = Yang tetap rahasia
consent-private-text = Kata sandi Anda. Kata sandi hanya dikirim ke penyedia yang Anda pilih; { $company } tidak pernah melihatnya.
consent-stop-title = Cara menghentikannya
consent-stop-text = Minta { $company } mengakhiri akses kapan saja. Data Anda kemudian dihapus.
consent-version = Versi { $version }
consent-agree = Setuju dan lanjutkan
consent-choose = Pilih yang dibagikan
consent-changed = Ketentuan telah berubah sejak Anda melihatnya. Silakan baca lagi.
consent-decline = Jangan sekarang

### Choosing what to share

data-choice-title = Pilih yang dibagikan kepada { $company }
data-choice-intro = Anda dapat menolak semua yang tidak selalu dibagikan dan tetap menghubungkan akun. { $company } tidak menerima yang Anda tolak.
data-choice-required = Selalu dibagikan
data-choice-optional = Pilihan Anda
data-choice-none = Anda hanya membagikan yang selalu dibagikan.
data-choice-some = Anda juga membagikan yang Anda pilih: { $chosen } dari { $total }.
data-choice-uploads = Jika Anda mengunggah dokumen, seluruh file dibagikan.
data-identities = Nama dan data kontak
data-documents = Dokumen dan file-nya
data-employments = Pekerjaan
data-incomes = Gaji
data-transactions = Pembayaran dan transaksi
data-contributions = Iuran dana
data-liabilities = Pinjaman
data-eincomes = Perkiraan penghasilan bulanan Anda
data-ratings = Penilaian di platform
data-links = Kapan Anda menghubungkan penyedia ini
data-insights = Angka yang dihitung dari data Anda

### Providers

providers-title = Pilih penyedia Anda
providers-intro = Di mana akun yang ingin Anda hubungkan?
providers-search = Cari penyedia
providers-search-placeholder = Cari berdasarkan nama
providers-search-clear = Hapus pencarian
providers-tabs = Jenis penyedia
providers-tab-all = Semua
providers-tab-government = Pemerintah
providers-tab-employer = Pemberi kerja
providers-tab-gig = Platform kerja lepas
providers-tab-payroll = Penggajian
providers-kind-government = Layanan pemerintah
providers-kind-employer = Pemberi kerja
providers-kind-gig = Platform kerja lepas
providers-kind-payroll = Penyedia layanan penggajian
providers-list-top = Paling sering digunakan
providers-list-all = Semua penyedia
providers-list-found = Penyedia yang cocok
providers-loading = Memuat penyedia
providers-found = { $count ->
    [0] Tidak ada penyedia yang ditemukan
   *[other] { $count } penyedia ditemukan
}
providers-empty-title = Tidak ada penyedia yang cocok
providers-empty-text = Periksa ejaannya, atau coba nama yang lebih pendek atau jenis penyedia lain.
providers-show-all = Tampilkan semua penyedia
providers-none-title = Belum ada penyedia
providers-none-text = { $company } belum menyiapkan penyedia yang dapat dihubungkan. Tutup jendela ini dan beri tahu mereka.
providers-more = Tampilkan lebih banyak
providers-missing = Penyedia saya tidak ada
provider-away = Tidak tersedia saat ini
provider-loading = Membuka { $provider }
provider-missing-title = Penyedia ini tidak dapat dihubungkan di sini
provider-missing-text = Penyedia ini sudah tidak ditawarkan. Pilih penyedia lain, atau tutup jendela ini.

### Ways to sign in

login-options-title = Bagaimana Anda masuk ke { $provider }?
login-options-list = Cara masuk

### Login

login-title = Masuk ke { $provider }
login-intro = Gunakan data yang sama seperti di situs { $provider }.
login-none-title = Hubungkan { $provider }
login-none-text = { $provider } tidak memerlukan data masuk. Lanjutkan untuk membagikan data Anda.
login-submit = Hubungkan
login-submitting = Menghubungkan
password-show = Tampilkan kata sandi
password-hide = Sembunyikan kata sandi
password-caps-lock = Caps Lock aktif
field-optional = opsional
field-choose = Pilih salah satu
field-empty = Isi bagian ini untuk melanjutkan.
field-empty-choice = Pilih salah satu untuk melanjutkan.
field-too-short = { $min ->
   *[other] Masukkan sedikitnya { $min } karakter.
}
field-too-long = { $max ->
   *[other] Masukkan paling banyak { $max } karakter.
}
field-digits = Gunakan angka saja.
field-alphanumeric = Gunakan huruf dan angka saja.
field-email = Masukkan alamat email seperti nama@contoh.com.
field-phone = Masukkan nomor telepon dengan kode negara, seperti +52 55 1234 5678.
field-curp = Masukkan 18 huruf dan angka CURP Anda seperti yang tertera pada surat keterangan.
field-date = Masukkan tanggal yang benar, dengan tahun, bulan, dan hari.
field-choice = Pilih salah satu nilai dalam daftar.
field-refused = { $provider } tidak menerima isian ini. Periksa, lalu coba lagi.
field-space = Ada spasi di awal atau di akhir. Hapus jika tidak diperlukan.
form-errors = { $count ->
   *[other] { $count } isian perlu Anda periksa.
}
login-again = Masukkan kata sandi Anda lagi. Demi keamanan, kami tidak menyimpannya.
login-restarted-title = Halaman ini harus dimulai ulang
login-restarted-text = Terjadi masalah di pihak kami. Yang Anda ketik masih ada, kecuali kata sandi. Periksa, lalu tekan Hubungkan lagi.
login-not-sent-title = Data Anda tidak sampai kepada kami
login-not-sent-text = Koneksi terputus. Periksa koneksi internet Anda, lalu tekan Hubungkan lagi.
login-renewed-title = Sesi Anda telah diperbarui
login-renewed-text = Data yang Anda isi belum terkirim. Tekan Hubungkan untuk mengirimkannya sekarang.
login-other-title = Ini akun yang berbeda
login-other-text = Masuk ke { $provider } dengan akun yang Anda hubungkan sebelumnya. Tidak ada yang dikirim ke { $provider }.
login-limit-title = Terlalu banyak percobaan masuk
login-wait = { $seconds ->
   *[other] Anda dapat mencoba lagi dalam { $seconds } detik.
}
login-wait-minutes = { $minutes ->
   *[other] Anda dapat mencoba lagi dalam { $minutes } menit.
}
login-wait-hours = { $hours ->
   *[other] Anda dapat mencoba lagi dalam { $hours } jam.
}

### Connecting

connecting-title = Menghubungkan ke { $provider }
connecting-text = Biasanya kurang dari satu menit. Biarkan jendela ini terbuka.
connecting-slow = { $provider } merespons lebih lama dari biasanya. Kami masih menunggu jawabannya.
connecting-stage-sent = Data terkirim dengan aman
connecting-stage-login = Masuk ke { $provider }
connecting-stage-answer = Memeriksa jawaban Anda
connecting-stage-finish = Memastikan sambungan
connecting-lost-title = Koneksi terputus
connecting-lost-text = Kami tidak dapat menghubungi layanan dan terus mencoba. Anda tidak perlu melakukan apa pun.

### Confirming that it is you

challenge-code-title = Masukkan kode Anda
challenge-code-sms = { $provider } mengirim kode melalui SMS. Kode akan tiba dalam satu menit.
challenge-code-sms-to = { $provider } mengirim kode melalui SMS ke { $destination }.
challenge-code-email = { $provider } mengirim kode ke email Anda. Periksa juga folder spam.
challenge-code-email-to = { $provider } mengirim kode ke { $destination }. Periksa juga folder spam.
challenge-code-voice = { $provider } sedang menelepon Anda untuk memberikan kode.
challenge-code-voice-to = { $provider } sedang menelepon { $destination } untuk memberikan kode.
challenge-code-app = Buka aplikasi autentikator Anda dan masukkan kode yang ditampilkan untuk { $provider }.
challenge-code-label = Kode
challenge-code-help = Kode ini terdiri dari { $length } karakter dan dikirim begitu semuanya Anda masukkan.
challenge-choice-title = Pastikan ini Anda
challenge-choice-text = { $provider } meminta Anda memilih satu jawaban.
challenge-choice-missing = Pilih satu jawaban untuk melanjutkan.
challenge-image-title = Ketik yang Anda lihat
challenge-image-text = { $provider } menampilkan gambar untuk memastikan Anda bukan robot.
challenge-image-alt = Huruf atau angka yang digambar oleh { $provider }
challenge-image-label = Karakter pada gambar
challenge-listen = Dengarkan saja
challenge-listen-stop = Hentikan rekaman
challenge-listen-again = Putar lagi
challenge-listening = Rekaman sedang diputar.
challenge-listen-ended = Rekaman selesai. Ketik yang Anda dengar.
challenge-listen-failed = Rekaman tidak dapat diputar. Coba lagi, atau ketik karakter pada gambar.
challenge-question-title = Jawab pertanyaan keamanan Anda
challenge-question-text = { $provider } mengajukan pertanyaan yang Anda buat di sana.
challenge-approve-title = Setujui di ponsel Anda
challenge-approve-text = { $provider } mengirim permintaan ke aplikasinya. Buka aplikasi itu dan setujui permintaannya.
challenge-approve-on = { $provider } mengirim permintaan ke { $device }. Buka di perangkat itu dan setujui.
challenge-email-link-title = Buka tautan di email Anda
challenge-email-link-text = { $provider } mengirim email berisi tautan kepada Anda. Periksa juga folder spam.
challenge-email-link-to = { $provider } mengirim tautan ke { $destination }. Periksa juga folder spam.
challenge-redirect-title = Masuk di halaman penyedia
challenge-redirect-text = { $provider } terbuka di tab lain. Masuk di sana, lalu kembali ke sini.
challenge-redirect-here = { $provider } terbuka di halaman ini. Masuk di sana, lalu Anda kembali ke sini.
challenge-redirect-open = Lanjutkan ke { $provider }
challenge-redirect-left = Selesaikan proses masuk ke { $provider } di tab lain. Jika sudah ditutup, mulai lagi.
challenge-redirect-again = Mulai lagi
challenge-redirect-nothing = Belum ada kabar dari { $provider }. Selesaikan di tab lain, atau mulai lagi.
challenge-waiting = Halaman ini berlanjut otomatis setelah Anda melakukannya.
challenge-time-left = Sisa waktu: { $time }
challenge-time-low = Sisa waktu: { $time }. Anda dapat meminta waktu tambahan.
challenge-time-both = Sisa waktu: { $time }. Anda dapat mengirim lagi dalam { $seconds } dtk.
challenge-extend = Saya perlu waktu tambahan
challenge-extended = Waktu Anda sudah ditambah.
challenge-resend = Kirim ulang
challenge-resend-wait = Kirim ulang dalam { $seconds } dtk
challenge-resent = Yang baru sedang dikirim.
challenge-by-sms = Kirim melalui SMS
challenge-by-email = Kirim melalui email
challenge-by-voice = Beri tahu melalui telepon
challenge-by-app = Gunakan aplikasi autentikator
challenge-picture = Tampilkan gambar lain
challenge-picture-new = Ini gambar lain.
challenge-wrong = Jawaban belum benar. Periksa jawaban Anda, lalu masukkan lagi.
challenge-wrong-choice = Jawaban belum benar. Pilih jawaban lain.
challenge-wrong-left = { $left ->
    [1] Jawaban belum benar. Ini kesempatan terakhir Anda.
   *[other] Jawaban belum benar. Anda punya { $left } kesempatan lagi.
}
challenge-not-sent-title = Jawaban Anda tidak sampai kepada kami
challenge-not-sent-text = Koneksi terputus. Periksa koneksi internet Anda, lalu masukkan jawaban Anda lagi.
challenge-submit = Lanjutkan
challenge-checking = Memeriksa
challenge-unsupported-title = Kami tidak dapat menampilkan pemeriksaan ini
challenge-unsupported-text = { $provider } meminta Anda memastikan identitas dengan cara yang belum didukung jendela ini. Tidak ada data yang dibagikan.
challenge-unsupported-next = Ubah cara konfirmasi di pengaturan { $provider }, atau hubungkan penyedia lain.

### Success

success-title = Akun Anda terhubung
success-text = { $provider } sekarang terhubung dengan { $company }.
success-next = Data Anda sedang diambil di latar belakang. Anda dapat menutup jendela ini.
success-another = Hubungkan akun lain

### Why it failed: the error codes of the interface, and one for any other

error-account-disabled-title = Akun ini dinonaktifkan
error-account-disabled-cause = { $provider } menonaktifkan akun ini sehingga tidak dapat dihubungkan.
error-account-disabled-next = Minta { $provider } mengaktifkannya, lalu hubungkan lagi.
error-account-inaccessible-title = Akun ini tidak dapat dibuka
error-account-inaccessible-cause = Anda berhasil masuk, tetapi saat ini { $provider } tidak mengizinkan kami membuka akun itu.
error-account-inaccessible-next = Masuk di situs { $provider } untuk melihat apakah ada yang perlu Anda lakukan, lalu coba lagi.
error-account-incomplete-title = Akun Anda belum lengkap
error-account-incomplete-cause = Menurut { $provider }, ada langkah pendaftaran yang belum selesai.
error-account-incomplete-next = Lengkapi profil Anda di situs { $provider }, lalu hubungkan lagi.
error-account-locked-title = Akun ini terkunci
error-account-locked-cause = { $provider } menguncinya, biasanya setelah beberapa kali kata sandi salah.
error-account-locked-next = Buka dahulu kuncinya di situs { $provider }. Mencoba lagi di sini dapat membuatnya terkunci lebih lama.
error-auth-required-title = Data masuk Anda tidak sampai
error-auth-required-cause = { $provider } tidak menerima nama pengguna dan kata sandi dari kami.
error-auth-required-next = Isi data Anda sekali lagi.
error-expired-credentials-title = Kata sandi Anda kedaluwarsa
error-expired-credentials-cause = { $provider } meminta Anda membuat kata sandi baru sebelum masuk.
error-expired-credentials-next = Ubah kata sandi di situs { $provider }, lalu hubungkan dengan yang baru.
error-invalid-account-type-title = Jenis akun ini tidak dapat dihubungkan
error-invalid-account-type-cause = { $provider } mengenali Anda, tetapi jenis akun ini tidak memiliki data yang diminta.
error-invalid-account-type-next = Jika Anda punya akun lain di { $provider }, gunakan akun itu.
error-invalid-auth-title = Proses masuk tidak berhasil
error-invalid-auth-cause = Terjadi gangguan saat { $provider } memeriksa identitas Anda. Mungkin saja kata sandi Anda benar.
error-invalid-auth-next = Cobalah sekali lagi. Jika terulang, hubungi dukungan { $company }.
error-invalid-credentials-title = Data tidak cocok
error-invalid-credentials-cause = { $provider } tidak menerima kombinasi nama pengguna dan kata sandi ini.
error-invalid-credentials-next = Periksa salah ketik dan huruf besar, lalu coba lagi.
error-invalid-mfa-title = Kode terlalu sering salah
error-invalid-mfa-cause = { $provider } tidak menerima jawaban yang Anda berikan untuk memastikan identitas.
error-invalid-mfa-next = Masuk lagi untuk mendapatkan kode baru. Gunakan hanya kode yang terakhir.
error-declined-title = Permintaan ditolak
error-declined-cause = Seseorang menolak permintaan yang dikirim { $provider } untuk memastikan identitas Anda. Tidak ada data yang dibagikan.
error-declined-next = Jika Anda tidak sengaja menolaknya, masuk lagi dan setujui permintaan yang baru.
error-mfa-timeout-title = Waktu habis
error-mfa-timeout-cause = { $provider } menunggu konfirmasi Anda, lalu berhenti menunggu.
error-mfa-timeout-next = Masuk lagi dan siapkan ponsel atau email Anda.
error-service-unavailable-title = Penyedia tidak merespons
error-service-unavailable-cause = { $provider } sedang mengalami gangguan atau pemeliharaan. Data Anda tidak bermasalah.
error-service-unavailable-next = Coba lagi beberapa menit lagi, atau kembali nanti.
error-system-error-title = Terjadi gangguan di pihak kami
error-system-error-cause = Sambungan ke { $provider } gagal dan ini bukan kesalahan Anda. Tidak ada data yang dibagikan.
error-system-error-next = Coba lagi. Jika terulang, hubungi dukungan { $company }.
error-tos-required-title = Ada ketentuan baru yang perlu disetujui
error-tos-required-cause = Anda perlu menyetujui ketentuan layanan { $provider } sebelum pihak lain dapat masuk untuk Anda.
error-tos-required-next = Masuk di situs { $provider }, setujui ketentuannya, lalu hubungkan lagi.
error-unsupported-auth-type-title = Cara masuk ini tidak didukung
error-unsupported-auth-type-cause = Akun Anda di { $provider } memakai cara masuk yang tidak dapat kami jalankan, misalnya melalui perusahaan lain.
error-unsupported-auth-type-next = Gunakan cara masuk lain jika ada, atau pilih penyedia lain.
error-unsupported-mfa-method-title = Cara konfirmasi ini tidak didukung
error-unsupported-mfa-method-cause = { $provider } memastikan identitas Anda dengan cara yang tidak dapat kami jalankan, misalnya kunci keamanan.
error-unsupported-mfa-method-next = Beralihlah ke kode melalui SMS atau email di pengaturan { $provider }, lalu hubungkan lagi.
error-unknown-title = Kami tidak dapat menghubungkan akun Anda
error-unknown-cause = { $provider } melaporkan masalah yang belum kami kenal. Tidak ada data yang dibagikan.
error-unknown-next = Coba lagi nanti. Jika terulang, hubungi dukungan { $company }.
error-try-again = Isi data Anda lagi

### The session ended

expired-title = Sesi Anda berakhir
expired-text = Demi keamanan Anda, waktu sesi dibatasi. Kami sedang meminta { $company } untuk melanjutkan; yang Anda ketik tetap tersimpan.
expired-renewing-title = Melanjutkan dari langkah terakhir
expired-renewing-text = Membuka sesi aman yang baru. Yang Anda ketik tetap tersimpan.
expired-start-title = Tautan ini kedaluwarsa
expired-start-text = Tautan berlaku sekali dan hanya sebentar. Jika halaman sebelumnya tidak berlanjut otomatis, tutup jendela ini dan mulai lagi.
expired-mismatch-title = Kami harus berhenti di sini
expired-mismatch-text = Sesi baru ini milik orang atau halaman lain. Untuk melindungi data Anda, kami menghapus semuanya. Tutup jendela ini dan mulai lagi.

### Leave?

leave-title = Keluar sebelum selesai?
leave-typed = Yang Anda ketik akan dihapus.
leave-connecting = Akun Anda belum terhubung. Jika keluar sekarang, Anda mungkin harus mengulang dari awal.
leave-stay = Tetap di sini
leave-leave = Keluar

### Already linked

accounts-title = Akun Anda yang terhubung
accounts-loading = Memuat akun Anda
accounts-uploads = Dokumen Anda
accounts-none = Saat ini tidak ada yang terhubung.
accounts-back = Kembali ke akun Anda
account-title = Akun Anda di { $provider }
account-action = Masuk lagi agar data tetap terbaru
account-action-text = { $provider } meminta Anda masuk lagi sebelum data baru dapat dibaca.
account-nothing = Tidak ada yang perlu dilakukan. { $company } tetap memiliki akses yang Anda setujui sampai akses itu berakhir atau Anda memutuskannya.
account-sign-in = Masuk lagi
account-reading = Sedang dibaca
account-unread = Tidak dapat dibaca
account-synced = { $days ->
    [0] Diperbarui hari ini
    [1] Diperbarui kemarin
   *[other] Diperbarui { $days } hari lalu
}
account-added = { $days ->
    [0] Ditambahkan hari ini
    [1] Ditambahkan kemarin
   *[other] Ditambahkan { $days } hari lalu
}
account-missing-title = Akun ini tidak ada di sini
account-missing-text = Akun ini sudah diputuskan atau milik orang lain. Anda dapat menghubungkan akun sekarang.
revoke-title = Putuskan hubungan dengan { $provider }?
revoke-text = { $company } akan kehilangan akses ke akun Anda di { $provider }, dan data yang dibaca dari akun itu akan dihapus. Anda dapat menghubungkannya lagi nanti.
revoke-upload-title = Hapus dokumen ini?
revoke-upload-text = { $company } akan kehilangan akses ke dokumen ini. File dan data yang dibaca darinya akan dihapus.
revoke-disconnect = Putuskan
revoke-remove = Hapus
revoke-keep = Pertahankan
revoke-busy = Mencabut akses
revoke-done = Akses telah dicabut dan data sedang dihapus.

### Can’t find it

survey-title = Beri tahu kami yang belum ada
survey-text = Kami mencatat pemberi kerja dan penyedia yang dicari orang, lalu menambahkannya secara bertahap.
survey-label = Pemberi kerja atau penyedia
survey-submit = Kirim
survey-thanks-title = Terima kasih, sudah kami catat
survey-thanks-text = Penyedia ini belum dapat dihubungkan. Anda dapat memilih penyedia lain.
survey-thanks-upload = Penyedia ini belum dapat dihubungkan. Anda dapat mengunggah dokumen.

### Documents

uploads-title = Unggah dokumen
uploads-text = Apa yang ingin Anda berikan kepada { $company }?
uploads-list = Jenis dokumen
archive-payslip = Slip gaji
archive-payslip-hint = Yang terbaru, dengan semua halamannya.
archive-tax = Dokumen pajak
archive-tax-hint = SPT terakhir atau bukti potong tahunan Anda.
archive-company = Kartu karyawan
archive-company-hint = Kartu Anda, kedua sisinya.
archive-identity = Bukti identitas
archive-identity-hint = Paspor, KTP, atau SIM.
archive-clearance = Surat keterangan catatan kepolisian
archive-clearance-hint = Dari kepolisian, pengadilan, atau pemberi kerja.
archive-certificate = Surat keterangan
archive-certificate-hint = Tentang pekerjaan atau iuran Anda.
archive-bank = Rekening koran
archive-bank-hint = Satu bulan penuh terakhir, dengan semua halamannya.
upload-rules = PDF, JPEG, HEIC, PNG, atau TIFF, masing-masing paling besar 15 MB.
upload-rules-pages = Paling banyak { $limit } file: PDF, JPEG, HEIC, PNG, atau TIFF, masing-masing paling besar 15 MB.
upload-front = Sisi depan
upload-back = Sisi belakang
upload-back-text = Tidak diperlukan untuk paspor.
upload-pages = Tambahkan file
upload-pages-text = Pilih, seret, atau tempel di sini.
upload-again = Pilih lagi file yang belum selesai untuk melanjutkan. Hanya bagian yang kurang yang dikirim.
upload-choose = Pilih file
upload-camera = Ambil foto
upload-files = File Anda
upload-looking = Memeriksa
upload-missing = { $percent } % sudah dikirim sebelumnya
upload-waiting = Menunggu
upload-offline = Tidak ada koneksi. File Anda akan berlanjut otomatis.
upload-online = Koneksi sudah kembali.
upload-sending = { $percent } % dari { $size } MB
upload-retrying = Koneksi terputus. Mencoba lagi.
upload-paused = Dijeda pada { $percent } %
upload-stuck = File tidak dapat dikirim.
upload-sent = Terunggah, { $size } MB
upload-refused = Tidak ditambahkan, { $size } MB
upload-removing = Menghapus
upload-announce = { $name }: { $percent } % terunggah
upload-pause = Jeda { $name }
upload-continue = Lanjutkan { $name }
upload-remove = Hapus { $name }
upload-surplus = { $added } dari { $offered } file ditambahkan. Batasnya { $limit }.
upload-clear = Hapus file yang tidak ditambahkan
upload-summary = { $files ->
   *[other] { $files } file, { $size } MB, siap dikirim
}
upload-submit = Kirim
upload-loss = Unggahan Anda belum dikirim. Jika keluar sekarang, Anda harus memilih file lagi.
file-duplicate = Anda sudah menambahkan file ini.
file-empty = File ini kosong.
file-too-large = File ini lebih besar dari 15 MB. Perkecil ukurannya, atau foto setiap halaman.
file-unsupported = File ini tidak dapat dibaca. Simpan atau cetak sebagai PDF, atau ambil tangkapan layarnya, lalu tambahkan file baru itu. PDF, JPEG, HEIC, PNG, dan TIFF diterima.
file-extra = File ini berisi data lain selain dokumen. Cetak ke PDF baru atau ambil foto baru, lalu tambahkan file baru itu.
file-encrypted = File ini dilindungi kata sandi. Simpan tanpa kata sandi, lalu tambahkan lagi.
file-damaged = File ini rusak atau tidak lengkap. Buka di perangkat Anda untuk memeriksanya, lalu tambahkan lagi.
file-too-many-pages = File ini lebih dari 30 halaman. Tambahkan hanya halaman yang penting.
file-too-many-pixels = Gambar ini terlalu besar. Ambil lagi dengan resolusi lebih rendah.
file-too-many = Tidak ada tempat lagi untuk file ini. Hapus dahulu file lain.
file-quota = Anda sudah mencapai batas unggahan. Coba lagi besok.
file-mismatch = File ini berubah atau sudah tidak ada. Hapus, lalu tambahkan lagi.
upload-remove-title = Hapus unggahan ini?
upload-remove-text = File yang Anda tambahkan akan dihapus. Belum ada yang dikirim.
upload-remove-yes = Hapus
upload-remove-no = Pertahankan
photo-title = Periksa foto
photo-text = Apakah setiap kata terbaca? Apakah seluruh halaman ada di foto?
photo-blurred = Foto ini tampak buram. Jika huruf kecilnya tidak terbaca, ambil lagi dengan tangan yang stabil.
photo-dark = Foto ini gelap. Ambil lagi dengan lebih banyak cahaya, tanpa bayangan di halaman.
photo-alt = Foto { $name }
photo-turn = Putar
photo-frame = Potong
photo-use = Gunakan foto ini
photo-retake = Hapus dan ambil lagi
photo-discard = Hapus
photo-frame-title = Potong foto
photo-frame-text = Seret tepinya ke tepi halaman.
photo-left = Tepi kiri
photo-top = Tepi atas
photo-right = Tepi kanan
photo-bottom = Tepi bawah
photo-crop = Potong
photo-unframe = Batal
photo-waiting = Menunggu Anda memeriksanya
photo-help = Letakkan halaman rata di tempat terang, dan pastikan seluruhnya masuk dalam foto.
reading-title = Membaca dokumen Anda
reading-text = Biasanya kurang dari satu menit. Anda dapat menutup jendela ini; pembacaan tetap berjalan.
reading-received = File diterima
reading-queued = Menunggu giliran
reading-pages = Membaca halaman
reading-checked = Memeriksa hasilnya
archive-read-title = Dokumen Anda sudah dibaca
archive-read-text = { $company } kini dapat menggunakan datanya.
archive-another = Unggah dokumen lain
archive-unrecognized-title = Kami tidak dapat membaca dokumen ini
archive-unrecognized-next = Ambil foto lagi: datar, cukup terang, tanpa pantulan, keempat sudut terlihat. PDF dari penerbit memberi hasil terbaik.
archive-unknown-title = Kami tidak mengenali jenis dokumen ini
archive-unknown-next = Teksnya terbaca, tetapi sepertinya bukan dokumen yang diminta. Pastikan dokumennya lengkap, atau unggah yang lain.
archive-people-title = Dokumen ini milik beberapa orang
archive-people-next = Unggah dokumen satu orang saja: milik Anda.
archive-form-title = Formulir ini tidak dapat dibaca
archive-form-next = Isiannya tidak ada di halamannya. Buka, pilih Cetak, simpan sebagai PDF, lalu unggah file baru itu.
archive-portfolio-title = PDF ini berisi file lain
archive-portfolio-next = Buka, simpan dokumen yang diperlukan sebagai file tersendiri, lalu unggah.
archive-chosen = Jenis yang Anda pilih
archive-wrong-title = Sepertinya ini jenis dokumen lain
archive-wrong-next = Pilih jenis yang sesuai, atau unggah dokumen yang diminta.
archive-unreadable-title = Ada file yang tidak dapat dibuka
archive-unreadable-next = File rusak atau dilindungi kata sandi. Simpan lagi tanpa kata sandi, lalu unggah.
archive-away-title = Pembacaan tidak dapat dilakukan saat ini
archive-away-next = File Anda tidak bermasalah. Coba lagi beberapa menit lagi.
archive-fault-title = Terjadi gangguan di sistem kami
archive-fault-next = File Anda tidak bermasalah. Unggah lagi file itu.
archive-again = Unggah lagi
archive-other = Pilih jenis lain

### On the phone

handoff-offer = Lanjutkan di ponsel
handoff-title = Lanjutkan di ponsel Anda
handoff-scan = Arahkan kamera ponsel ke kode ini, lalu buka halaman yang ditawarkan.
handoff-once = Kode berlaku sekali, selama 10 menit. Jangan perlihatkan kepada siapa pun: orang itu dapat melanjutkan sebagai Anda.
handoff-alt = Kode QR yang membuka langkah ini di ponsel Anda
handoff-here = Lanjutkan di sini saja
handoff-again = Tampilkan kode baru
handoff-continued-title = Anda melanjutkan di ponsel
handoff-continued-text = Biarkan halaman ini terbuka. Halaman akan berlanjut otomatis setelah Anda selesai di ponsel.
handoff-continued-warning = Bukan Anda? Pilih “Lanjutkan di sini saja”, dan perangkat lain itu tidak dapat berbuat apa-apa lagi.
handoff-expired-title = Kode kedaluwarsa
handoff-expired-text = Tidak ada yang hilang. Tampilkan kode baru, atau lanjutkan di sini.
handoff-left-title = Anda meninggalkan halaman di ponsel
handoff-left-text = Yang sudah terkirim tetap tersimpan. Tampilkan kode baru, atau lanjutkan di sini.
handoff-arrival-title = Lanjutkan di ponsel ini
handoff-arrival-text = Di sini Anda melanjutkan yang Anda mulai di komputer bersama { $company }.
handoff-arrival-warning = Lanjutkan hanya jika Anda memindai kode dari layar Anda sendiri. Jika seseorang mengirimkannya, tutup halaman ini: orang itu akan menerima yang Anda masukkan.
handoff-continue = Lanjutkan
handoff-done-title = Selesai di sini
handoff-done-text = Kembali ke komputer Anda. Langkah berikutnya ada di sana.
handoff-back-title = Lanjutkan di komputer Anda
handoff-back-text = Komputer Anda menunjukkan langkah berikutnya. Anda dapat menutup halaman ini.
handoff-dead-title = Kode ini tidak berlaku lagi
handoff-dead-text = Kode berlaku sekali, selama 10 menit. Tampilkan kode baru di komputer, lalu pindai.
