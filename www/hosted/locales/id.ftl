# Indonesian. The keys are those of en.ftl. Conventions: docs/reference/languages.md.

### Semua halaman undangan

page-footer = { $company } menggunakan Linchpin untuk membaca akun dengan persetujuan Anda. Kata sandi Anda hanya dikirim ke penyedia yang Anda pilih.

### Tautan di email

page-link-unknown-title = Tautan ini tidak berlaku
page-link-unknown-text = Tautan ini mungkin sudah diganti dengan yang lebih baru, atau undangannya ditarik. Cari email terbaru dari perusahaan yang mengundang Anda.
page-link-used-title = Tautan ini sudah digunakan
page-link-used-text = Setiap tautan hanya berfungsi satu kali. Kami dapat mengirim yang baru ke alamat yang sama.
page-link-expired-title = Tautan ini sudah kedaluwarsa
page-link-expired-text = Tautan ini berlaku selama { $days } hari. Kami dapat mengirim yang baru ke alamat yang sama.
page-link-again = Kirimi saya tautan baru
page-link-sent-title = Tautan baru sedang dikirim
page-link-sent-text = Kami mengirimnya ke alamat yang sama dengan yang pertama. Anda dapat menutup halaman ini.
page-link-early-title = Kami mengirim email kurang dari satu menit yang lalu
page-link-early-text = Tunggu satu menit sampai email itu tiba. Jika tidak tiba, minta yang lain.
page-link-ended-title = Undangan ini sudah berakhir
page-link-ended-text = Kami tidak dapat mengirim tautan lain untuk undangan ini. Mintalah undangan baru kepada { $company }.

### Kunjungan

page-visit-over-title = Kunjungan Anda sudah berakhir
page-visit-over-text = Buka lagi tautan Anda. Jika sudah digunakan, halaman itu menjelaskan cara mendapatkan yang baru.
page-widget-opening = Jendela untuk menghubungkan akun Anda sedang dibuka.
page-widget-script = Menghubungkan akun memerlukan JavaScript. Aktifkan untuk halaman ini.
page-widget-closed = Jendela ditutup sebelum akun terhubung. Anda dapat melanjutkan dari langkah terakhir.
page-widget-limited = Halaman ini terlalu sering dibuka hari ini. Coba lagi nanti.
page-widget-broken = Terjadi kesalahan. Muat ulang halaman ini.

### A hosted link

page-hosted-used-text = Setiap tautan hanya berfungsi satu kali, di browser yang pertama membukanya. Lanjutkan di sana, atau minta tautan baru kepada { $company }.
page-hosted-expired-text = Minta tautan baru kepada { $company }. Tidak ada yang hilang dari yang sudah Anda tautkan.

### The phone

page-phone-title = Lanjutkan di ponsel Anda
page-phone-opening = Halaman sedang dimuat.
page-phone-script = Halaman ini memerlukan JavaScript. Aktifkan JavaScript.
page-phone-scan = Tampilkan kode di komputer Anda, lalu pindai lagi.
page-phone-done = Anda dapat menutup halaman ini.
page-phone-broken = Terjadi kesalahan. Tampilkan kode baru di komputer Anda, lalu pindai.
page-phone-unknown-title = Kode ini tidak valid

### The login on a provider’s page

page-sign-in-ask-title = Masuk ke { $provider }?
page-sign-in-ask-text = { $company } meminta Anda masuk di halaman penyedia. Setelah itu, perusahaan ini menerima data dari akun Anda.
page-sign-in-ask-warning = Lanjutkan hanya jika Anda sendiri yang memulainya. Jika seseorang mengirimkan alamat ini, tutup halaman ini: orang itu akan menerima data Anda.
page-sign-in-ask-button = Lanjutkan ke { $provider }
page-sign-in-here = Lanjutkan di jendela ini
page-sign-in-here-text = Lanjutkan untuk melihat status proses masuk Anda. Anda dapat memulai lagi di sana.
page-sign-in-received-title = Anda dapat kembali sekarang
page-sign-in-received-text = Kembali ke jendela lain. Prosesnya berlanjut otomatis di sana. Anda dapat menutup halaman ini.
page-sign-in-refused-title = Anda tidak memberi akses
page-sign-in-refused-text = Tidak ada yang dibagikan. Kembali ke jendela lain untuk mencoba lagi atau memilih penyedia lain. Anda dapat menutup halaman ini.
page-sign-in-failed-title = Penyedia tidak dapat memasukkan Anda
page-sign-in-failed-text = Tidak ada yang dibagikan. Kembali ke jendela lain, yang menunjukkan langkah berikutnya. Anda dapat menutup halaman ini.
page-sign-in-over-title = Proses masuk ini sudah berakhir
page-sign-in-over-text = Prosesnya sudah selesai atau dimulai lagi. Kembali ke jendela lain untuk melihat keadaannya. Anda dapat menutup halaman ini.
page-sign-in-expired-title = Proses masuk ini terlalu lama
page-sign-in-expired-text = Kembali ke jendela lain, lalu mulai lagi di sana.
page-sign-in-browser-title = Proses masuk ini dimulai di browser lain
page-sign-in-browser-text = Kembali ke jendela tempat Anda memulai, lalu buka halaman penyedia dari sana, di browser yang sama.
page-sign-in-issuer-title = Respons ini bukan dari penyedia Anda
page-sign-in-issuer-text = Demi melindungi Anda, kami tidak memakainya. Kembali ke jendela lain, lalu mulai lagi di sana.
page-sign-in-unknown-title = Alamat ini tidak valid
page-sign-in-unknown-text = Kembali ke jendela lain, lalu mulai lagi di sana.

### A link site

page-site-unknown-title = Halaman ini tidak ada
page-site-unknown-text = Periksa alamatnya, atau tanyakan kepada perusahaan yang memberikannya kepada Anda.
page-site-draft-title = Halaman ini belum dibuka
page-site-draft-text = { $company } belum menerbitkannya. Silakan coba lagi nanti.
page-site-closed-title = Halaman ini sudah ditutup
page-site-closed-text = { $company } tidak lagi menerima jawaban di sini.
page-site-full-title = Halaman ini sudah lengkap
page-site-full-text = { $company } sudah menerima semua jawaban yang dimintanya.
page-site-invited-title = Halaman ini memerlukan undangan
page-site-invited-text = Buka tautan di email dari { $company }.
page-site-redirect = Lanjutkan ke { $company }

### Formulir

page-form-title = Beberapa pertanyaan terlebih dahulu
page-form-wrong = Perbaiki isian yang ditandai di bawah.
page-form-continue = Lanjutkan
page-form-choose = Pilih…
page-form-optional = (opsional)
page-form-required = Bagian ini wajib diisi.
page-form-long = Panjangnya paling banyak { $count } karakter.
page-form-email = Isi dengan alamat email, seperti nama@example.com.
page-form-phone = Isi dengan nomor telepon beserta kode negaranya.
page-form-date = Isi dengan tanggal, seperti 1990-05-24.
page-form-choice = Pilih salah satu pilihan yang ada.
page-form-number = Ini harus berupa angka, seperti 1250.50.
page-form-short = Ini harus memiliki minimal { $count } karakter.
page-form-digits = Ini hanya boleh berisi angka.
page-form-alphanumeric = Ini hanya boleh berisi huruf dan angka.
page-form-curp = Ini harus berupa 18 huruf dan angka CURP.
page-form-more = Jawaban Anda memunculkan pertanyaan lain. Silakan jawab juga.
page-form-retry = Periksa jawaban Anda, lalu tekan tombol itu lagi.
page-form-saved = { $company } menerima jawaban Anda saat Anda mengisinya. Anda dapat kembali ke halaman ini selama 5 jam.
page-form-bait = Biarkan kolom ini kosong

### The files of a form

page-file-rules = { $formats }, maksimal { $size } MB per file.
page-file-limit = Maksimal { $count } file.
page-file-remove = Hapus { $name }
page-file-failed = File tidak dapat dikirim.
page-file-empty = File ini kosong.
page-file-large = File ini lebih besar dari { $size } MB.
page-file-format = File ini memiliki format lain. Tambahkan salah satu dari: { $formats }.
page-file-extra = File ini berisi data lain selain dokumen. Cetak ke PDF baru atau ambil foto baru, lalu tambahkan file baru itu.
page-file-encrypted = File ini dilindungi kata sandi. Simpan tanpa kata sandi, lalu tambahkan lagi.
page-file-damaged = File ini rusak atau tidak lengkap. Buka di perangkat Anda untuk memeriksanya, lalu tambahkan lagi.
page-file-pages = File ini lebih dari 30 halaman. Tambahkan hanya halaman yang penting.
page-file-pixels = Gambar ini terlalu besar. Ambil lagi dengan resolusi lebih rendah.
page-file-many = Tidak ada tempat lagi untuk file ini. Hapus dahulu file lain.
page-file-quota = Anda sudah mencapai batas unggahan. Coba lagi besok.
page-file-mismatch = File ini berubah atau sudah tidak ada. Hapus, lalu tambahkan lagi.

### Selesai

page-done-linked = Akun Anda sudah terhubung.
page-done-uploaded = Dokumen Anda sudah diunggah.
page-done-both = Akun Anda sudah terhubung, dan dokumen Anda sudah diunggah.
page-complete-known-title = Anda sudah melakukan ini
page-complete-known-linked = Akun Anda terhubung dengan { $company }. Tidak ada lagi yang perlu dilakukan.
page-complete-known-uploaded = Dokumen Anda sudah diunggah untuk { $company }. Tidak ada lagi yang perlu dilakukan.
page-complete-title = Undangan ini sudah selesai
page-complete-linked = Sebuah akun dihubungkan dengan undangan ini. Jika undangan ini dikirim kepada Anda dan bukan Anda yang melakukannya, beri tahu { $company }.
page-complete-uploaded = Dokumen diunggah dengan undangan ini. Jika undangan ini dikirim kepada Anda dan bukan Anda yang melakukannya, beri tahu { $company }.

### Permintaan yang gagal

page-foreign-title = Permintaan ini berasal dari situs lain
page-foreign-text = Untuk melindungi Anda, kami tidak memprosesnya. Buka tautan di undangan Anda dan tekan tombol di sana.
page-busy-title = Terlalu banyak permintaan
page-busy-text = Coba lagi dalam beberapa detik.
page-failed-title = Terjadi kesalahan
page-failed-text = Ini bukan kesalahan Anda, dan tidak ada yang hilang. Coba lagi dalam satu menit.
page-suspended-title = Halaman ini tidak tersedia saat ini
page-suspended-text = Silakan kembali lagi nanti. Isian Anda tidak hilang.
page-retry = Coba lagi

### Menghentikan semua email

stop-title = Hentikan semua email ke alamat ini?
stop-text = Anda tidak akan menerima email lagi dari layanan ini, siapa pun yang meminta kami mengirimnya. Undangan yang sudah Anda terima tetap berfungsi. Kode yang Anda minta sendiri juga tidak akan sampai.
stop-button = Hentikan semua email ke alamat saya
stop-abuse = Untuk melaporkan penyalahgunaan, tulis ke { $address }.
stop-done-title = Email ke alamat Anda sudah dihentikan
stop-done-text = Kami tidak akan mengirim email lagi ke alamat itu. Anda dapat menutup halaman ini.
stop-unknown-title = Tautan ini tidak lengkap
stop-unknown-text = Salin tautan lengkap dari email ke browser Anda, atau tulis ke alamat yang tercantum di email.

### Halaman yang meminta pembuktian alamat email, dan email berisi kode

page-proof-title = Konfirmasi alamat email Anda
page-proof-text = { $company } meminta alamat email Anda sebelum Anda melanjutkan. Kami mengirim kode ke alamat itu.
page-proof-address = Alamat email
page-proof-send = Kirimi saya kode
page-proof-code-title = Masukkan kode
page-proof-code-text = Kami mengirim email berisi kode ke { $address }. Kode berlaku selama 10 menit. Jika email tidak terlihat, periksa folder spam.
page-proof-code = Kode 6 angka
page-proof-again = Kirim kode lain
page-proof-correct = Gunakan alamat lain
page-proof-digits = Masukkan 6 angka kode tersebut.
page-proof-wrong = Ini bukan kode dalam email terakhir kami. Periksa dan coba lagi.
page-proof-over = Kode ini sudah tidak berlaku. Minta kode lain.
page-proof-soon = Kami mengirim kode kurang dari satu menit yang lalu. Tunggu satu menit sebelum meminta kode lain.
page-proof-most = Kami sudah mengirim 4 kode dan tidak dapat mengirim lagi dalam kunjungan ini. Masukkan kode dari email terakhir kami, atau mulai lagi dalam 10 menit.
page-proof-ended = Kode ini sudah tidak berlaku, dan kami sudah mengirim 4 kode. Mulai lagi.
page-proof-busy = Terlalu banyak kode diminta dari jaringan Anda. Coba lagi dalam beberapa menit.
page-proof-unavailable = Saat ini kami tidak dapat mengirim kode. Coba lagi besok.
page-proof-refused = Kami tidak dapat mengirim email ke alamat ini sekarang. Periksa alamatnya, atau gunakan alamat lain.
proof-mail-subject = Kode Anda untuk { $company }
proof-mail-body = Masukkan kode ini di halaman { $company } untuk mengonfirmasi alamat email Anda.
proof-mail-note = Kode berlaku selama 10 menit, dan hanya di halaman tempat kode itu diminta. Jangan berikan kepada orang lain.
proof-mail-reason = Alamat Anda dimasukkan di halaman { $company }. Jika bukan Anda yang melakukannya, abaikan email ini.

### A person's own page, and the mail with its link. They have no tenant

me-title = Data Anda
me-ask-text = Lihat apa yang Anda berikan kepada perusahaan melalui Linchpin, unduh salinannya, berhenti membagikannya, atau minta penghapusan. Kami mengirim tautan ke alamat email Anda.
me-ask-label = Alamat tujuan undangan Anda
me-ask-button = Kirimi saya tautan
me-ask-again = Minta tautan
me-asked-title = Periksa email Anda
me-asked-text = Jika kami menyimpan data yang diberikan melalui tautan yang dikirim ke alamat ini, email berisi tautan sedang dikirim. Tautan berlaku satu kali, selama 30 menit. Alamat yang email kami ke sana telah dihentikan tidak menerimanya.
me-open-title = Buka halaman Anda
me-open-text = Tombol ini menampilkan data Anda di perangkat ini selama 30 menit. Tautan berlaku satu kali.
me-open-button = Tampilkan data saya
me-open-over = Tautan ini sudah digunakan atau sudah kedaluwarsa. Minta yang baru.
me-over-title = Halaman Anda ditutup
me-over-text = Minta tautan baru untuk melihat data Anda lagi.
me-list-text = Anda memberikan ini melalui tautan dalam email ke alamat Anda. Untuk data yang Anda berikan dengan cara lain, tanyakan kepada perusahaannya.
me-list-empty = Kami tidak menyimpan data yang Anda berikan melalui tautan dalam email ke alamat Anda.
me-sandbox = Lingkungan uji: ini bukan data nyata.
me-given = Diberikan pada
me-until = Disimpan sampai
me-until-synced = Disimpan, jika tidak diperbarui sebelumnya, sampai
me-unfinished = Tidak terhubung; dihapus pada
me-shared = Anda membagikan
me-form = Jawaban formulir
me-consent = Teks yang Anda setujui
me-copy-json = Unduh sebagai JSON
me-copy-pdf = Unduh sebagai PDF
me-stop = Berhenti membagikan
me-erase = Hapus
me-erase-all = Hapus semuanya
me-leave = Keluar
me-back = Kembali ke data Anda
me-stop-title = Berhenti membagikan kepada { $company }?
me-erase-title = Hapus apa yang Anda berikan kepada { $company }?
me-end-text = { $company } tidak mendapat data baru, dan kami menghapus yang kami simpan. Ini tidak dapat dibatalkan.
me-end-copies = { $company } mungkin sudah menyalin data sebelumnya. Minta { $company } menghapus salinannya.
me-done-title = Data Anda sudah dihapus
me-done-text = { $company } tidak dapat lagi membacanya di sini.
me-page-link = Lihat atau hapus data yang Anda berikan
me-mail-subject = Tautan ke data Anda
me-mail-body = Buka halaman Anda untuk melihat apa yang Anda berikan kepada perusahaan, mengunduhnya, atau meminta penghapusan. Tautan berlaku satu kali, selama 30 menit.
me-mail-reason = Alamat Anda dimasukkan di halaman kami. Jika bukan Anda yang melakukannya, abaikan email ini: hanya tautan ini yang menampilkan datanya.
portal-mail-subject = Masuk ke portal pengembang
portal-mail-body = Tautan ini memasukkan Anda ke portal pengembang satu kali, dalam 10 menit setelah permintaan Anda.
portal-mail-several = Pilih organisasi di portal pengembang. Anda dapat memakai salah satu tautan ini, satu kali, dalam 10 menit setelah permintaan Anda.
portal-mail-button = Masuk ke { $company }
portal-mail-reason = Alamat Anda dimasukkan di halaman masuk portal pengembang. Jika bukan Anda yang melakukannya, abaikan email ini dan jangan teruskan tautannya.
me-data-identities = Nama dan data kontak
me-data-documents = Dokumen dan file-nya
me-data-employments = Pekerjaan
me-data-incomes = Gaji
me-data-transactions = Pembayaran dan transaksi
me-data-contributions = Iuran dana
me-data-liabilities = Pinjaman
me-data-eincomes = Perkiraan penghasilan bulanan Anda
me-data-ratings = Penilaian di platform
me-data-links = Kapan Anda menghubungkan penyedia ini
me-data-insights = Angka yang dihitung dari data Anda
me-archive-payslip = Slip gaji
me-archive-tax = Dokumen pajak
me-archive-company = Kartu karyawan
me-archive-identity = Bukti identitas
me-archive-clearance = Surat keterangan catatan kepolisian
me-archive-certificate = Surat keterangan
me-archive-bank = Rekening koran

### Email undangan

mail-link = Tautan ini hanya untuk Anda dan berfungsi satu kali.
mail-copy = Jika tombolnya tidak berfungsi, salin alamat ini ke browser Anda:
mail-reason = { $company } meminta kami mengirim email ini kepada Anda.
mail-stop = Hentikan semua email kami ke alamat ini
mail-abuse = Laporkan penyalahgunaan:

### Teks templat undangan untuk tenant baru

default-subject = { $company } meminta Anda menghubungkan akun
default-greeting = Halo { $name },
default-body = { $company } meminta Anda menghubungkan akun yang Anda miliki di jaminan sosial, tempat kerja atau aplikasi tempat Anda bekerja. Ini hanya perlu beberapa menit, dan { $company } tidak pernah melihat kata sandi Anda.
default-landing-header = Halo { $name }
default-landing-intro = { $company } meminta Anda menghubungkan akun.
default-landing-text = Anda memilih penyedia, melihat informasi apa yang dibaca, dan masuk di sana. Anda dapat menarik persetujuan kapan saja.
default-landing-button = Hubungkan akun
default-success-header = Terima kasih, { $name }
default-success-text = Kami sudah memberi tahu { $company }. Anda dapat menutup halaman ini.
