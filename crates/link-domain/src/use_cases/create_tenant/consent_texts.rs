//! The consent text of a new tenant, in every language of the widget.

use link_types::template::{ConsentTranslation, SyncInterval};

/// A consent text in one language. `{company}` is the tenant's name, `{reading}` says when data is read, and `{interval}`
/// how often it is read again.
pub(super) struct ConsentWords {
    pub(super) locale: &'static str,
    title: &'static str,
    text: &'static str,
    /// `{reading}` if data is read only once.
    once: &'static str,
    /// `{reading}` if data is read again.
    again: &'static str,
    daily: &'static str,
    weekly: &'static str,
    monthly: &'static str,
}

impl ConsentWords {
    /// Returns title and text for a link template that reads data again at this interval, or once.
    pub(super) fn filled(&self, company: &str, sync: Option<SyncInterval>) -> ConsentTranslation {
        let reading = match sync {
            None => self.once.to_owned(),
            Some(SyncInterval::Daily) => self.again.replace("{interval}", self.daily),
            Some(SyncInterval::Weekly) => self.again.replace("{interval}", self.weekly),
            Some(SyncInterval::Monthly) => self.again.replace("{interval}", self.monthly),
        };
        let text = self.text.replace("{reading}", &reading).replace("{company}", company);
        ConsentTranslation { title: self.title.to_owned(), text }
    }
}

/// The text in English.
pub(super) const ENGLISH: ConsentWords = ConsentWords {
    locale: "en",
    title: "Share your account data",
    text: "By continuing you let {company} receive, through Linchpin, the information that the provider you choose holds \
           about you: who you are, your employment, your income and contributions, and your documents.\n\n{reading} \
           {company} never sees your password.\n\nThe information is kept for at most 60 days. You can withdraw your \
           consent at any time, and it is removed at once.",
    once: "Your login is used to read this information once.",
    again: "Your login is used to read this information now, and again {interval} where the provider allows it, while \
            your consent lasts.",
    daily: "every day",
    weekly: "every week",
    monthly: "every month",
};

/// The text in the other languages of the widget.
pub(super) const TRANSLATIONS: [ConsentWords; 6] = [
    ConsentWords {
        locale: "es-MX",
        title: "Comparte los datos de tu cuenta",
        text: "Al continuar permites que {company} reciba, por medio de Linchpin, la información que el proveedor que \
               eliges tiene sobre ti: quién eres, tu empleo, tus ingresos y aportaciones, y tus \
               documentos.\n\n{reading} {company} nunca ve tu contraseña.\n\nLa información se conserva por un máximo \
               de 60 días. Puedes retirar tu consentimiento en cualquier momento, y la información se borra de \
               inmediato.",
        once: "Tus datos de acceso se usan para leer esta información una sola vez.",
        again: "Tus datos de acceso se usan para leer esta información ahora y otra vez {interval}, donde el \
                proveedor lo permita, mientras dure tu consentimiento.",
        daily: "cada día",
        weekly: "cada semana",
        monthly: "cada mes",
    },
    ConsentWords {
        locale: "fil",
        title: "Ibahagi ang data ng iyong account",
        text: "Sa pagpapatuloy, pinapayagan mo ang {company} na matanggap, sa pamamagitan ng Linchpin, ang \
               impormasyong hawak ng pinili mong provider tungkol sa iyo: kung sino ka, ang iyong trabaho, kita at \
               mga kontribusyon, at ang iyong mga dokumento.\n\n{reading} Hindi kailanman makikita ng {company} ang \
               iyong password.\n\nItinatago ang impormasyon nang hanggang 60 araw. Puwede mong bawiin ang iyong \
               pahintulot anumang oras, at agad itong buburahin.",
        once: "Ginagamit ang iyong login para basahin ang impormasyong ito nang isang beses lang.",
        again: "Ginagamit ang iyong login para basahin ang impormasyong ito ngayon, at muli {interval} kung \
                pinapayagan ng provider, habang may bisa ang iyong pahintulot.",
        daily: "araw-araw",
        weekly: "bawat linggo",
        monthly: "bawat buwan",
    },
    ConsentWords {
        locale: "id",
        title: "Bagikan data akun Anda",
        text: "Dengan melanjutkan, Anda mengizinkan {company} menerima, melalui Linchpin, informasi tentang Anda yang \
               disimpan penyedia pilihan Anda: identitas, pekerjaan, penghasilan dan iuran, serta dokumen \
               Anda.\n\n{reading} {company} tidak pernah melihat kata sandi Anda.\n\nInformasi disimpan paling lama \
               60 hari. Anda dapat menarik persetujuan kapan saja, dan informasi itu langsung dihapus.",
        once: "Data masuk Anda digunakan untuk membaca informasi ini satu kali.",
        again: "Data masuk Anda digunakan untuk membaca informasi ini sekarang, dan lagi {interval} jika penyedia \
                mengizinkan, selama persetujuan Anda berlaku.",
        daily: "setiap hari",
        weekly: "setiap minggu",
        monthly: "setiap bulan",
    },
    ConsentWords {
        locale: "pt-BR",
        title: "Compartilhe os dados da sua conta",
        text: "Ao continuar, você permite que {company} receba, por meio do Linchpin, as informações que o provedor \
               escolhido tem sobre você: quem você é, o seu emprego, a sua renda e as suas contribuições, e os seus \
               documentos.\n\n{reading} {company} nunca vê a sua senha.\n\nAs informações são guardadas por no máximo \
               60 dias. Você pode retirar o consentimento quando quiser, e elas são excluídas imediatamente.",
        once: "O seu login é usado para ler essas informações uma única vez.",
        again: "O seu login é usado para ler essas informações agora e de novo {interval}, onde o provedor permitir, \
                enquanto o seu consentimento durar.",
        daily: "todos os dias",
        weekly: "toda semana",
        monthly: "todo mês",
    },
    ConsentWords {
        locale: "zh-Hans",
        title: "共享您的账户数据",
        text: "继续即表示您允许 {company} 通过 Linchpin 接收您所选机构保存的与您有关的信息：身份、工作、收入和缴费，以及您的文件。\n\n{reading}{company} \
               不会看到您的密码。\n\n这些信息最长保存 60 天。您可以随时撤回同意，届时信息将立即删除。",
        once: "您的登录信息仅用于读取这些信息一次。",
        again: "您的登录信息现在用于读取这些信息；在您的同意有效期间，如果机构允许，之后{interval}再次读取。",
        daily: "每天",
        weekly: "每周",
        monthly: "每月",
    },
    ConsentWords {
        locale: "ar",
        title: "مشاركة بيانات حسابك",
        text: "بالمتابعة تسمح لشركة {company} بأن تتلقى، عبر Linchpin، المعلومات التي تحتفظ بها عنك الجهة التي \
               تختارها: هويتك وعملك ودخلك واشتراكاتك ومستنداتك.\n\n{reading} لا تطّلع شركة {company} على كلمة مرورك \
               أبدًا.\n\nتُحفظ المعلومات مدة أقصاها 60 يومًا. يمكنك سحب موافقتك في أي وقت، وعندئذٍ تُحذف المعلومات \
               فورًا.",
        once: "تُستخدم بيانات دخولك لقراءة هذه المعلومات مرة واحدة فقط.",
        again: "تُستخدم بيانات دخولك لقراءة هذه المعلومات الآن، ثم {interval} إذا سمحت الجهة بذلك، ما دامت موافقتك \
                سارية.",
        daily: "كل يوم",
        weekly: "كل أسبوع",
        monthly: "كل شهر",
    },
];

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::*;
    use crate::generated::text_keys::LOCALES;

    const ALL: [Option<SyncInterval>; 4] =
        [None, Some(SyncInterval::Daily), Some(SyncInterval::Weekly), Some(SyncInterval::Monthly)];

    #[test]
    fn consent_text_exists_in_every_language_of_the_widget() {
        let mut translated: Vec<_> = TRANSLATIONS.iter().map(|it| it.locale).collect();
        translated.push(ENGLISH.locale);
        translated.sort_unstable();
        let mut locales = LOCALES.to_vec();
        locales.sort_unstable();
        assert_eq!(translated, locales);
    }

    #[rstest]
    #[case::once(None, "read this information once.")]
    #[case::daily(Some(SyncInterval::Daily), "again every day where")]
    #[case::weekly(Some(SyncInterval::Weekly), "again every week where")]
    #[case::monthly(Some(SyncInterval::Monthly), "again every month where")]
    fn consent_text_says_how_often_data_is_read(#[case] sync: Option<SyncInterval>, #[case] says: &str) {
        let text = ENGLISH.filled("Shop & Co", sync).text;
        assert!(text.contains(says) && text.contains("Shop & Co never sees"), "{text}");
    }

    #[test]
    fn translations_say_what_the_english_text_says() {
        let shape =
            |text: &str| (text.matches("\n\n").count(), text.matches("Shop").count(), text.contains("60"));
        for words in &TRANSLATIONS {
            let readings = [
                (None, words.once),
                (Some(SyncInterval::Daily), words.daily),
                (Some(SyncInterval::Weekly), words.weekly),
                (Some(SyncInterval::Monthly), words.monthly),
            ];
            for (sync, says) in readings {
                let text = words.filled("Shop", sync).text;
                assert_eq!(shape(&text), shape(&ENGLISH.filled("Shop", sync).text), "{}", words.locale);
                assert!(text.contains(says) && !text.contains('{'), "{text}");
            }
        }
    }

    #[test]
    fn each_interval_has_its_own_text() {
        for words in TRANSLATIONS.iter().chain([&ENGLISH]) {
            let texts: std::collections::BTreeSet<_> =
                ALL.iter().map(|sync| words.filled("Shop", *sync).text).collect();
            assert_eq!(texts.len(), ALL.len(), "{}", words.locale);
        }
    }
}
