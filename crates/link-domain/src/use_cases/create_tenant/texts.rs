//! The consent text and the invite template of a new tenant, in every language of the widget.

use link_types::invite_template::{
    InviteEmailTexts, InviteLandingPage, InviteSuccessPage, InviteTranslation,
};
use link_types::template::ConsentTranslation;

use crate::notifications::service_text::{Locale, ServiceText, Value};

/// A consent text in one language. `{company}` is the tenant's name. `${reading}` and `${retention}` stay: the link
/// template fills them.
pub(super) struct ConsentWords {
    pub(super) locale: &'static str,
    title: &'static str,
    text: &'static str,
}

impl ConsentWords {
    /// Returns title and text for a company.
    pub(super) fn fill(&self, company: &str) -> ConsentTranslation {
        ConsentTranslation { title: self.title.to_owned(), text: self.text.replace("{company}", company) }
    }
}

/// The text in English.
pub(super) const ENGLISH: ConsentWords = ConsentWords {
    locale: "en",
    title: "Share your account data",
    text: "By continuing you let {company} receive, through Linchpin, the information that the provider you choose holds \
           about you: who you are, your employment, your income and contributions, and your documents.\n\n${reading} \
           {company} never sees your password.\n\n${retention} You can withdraw your consent at any time, and the \
           information is removed at once.",
};

/// The text in the other languages of the widget.
pub(super) const TRANSLATIONS: [ConsentWords; 6] = [
    ConsentWords {
        locale: "es-MX",
        title: "Comparte los datos de tu cuenta",
        text: "Al continuar permites que {company} reciba, por medio de Linchpin, la información que el proveedor que \
               eliges tiene sobre ti: quién eres, tu empleo, tus ingresos y aportaciones, y tus \
               documentos.\n\n${reading} {company} nunca ve tu contraseña.\n\n${retention} Puedes \
               retirar tu consentimiento en cualquier momento, y la información se borra de inmediato.",
    },
    ConsentWords {
        locale: "fil",
        title: "Ibahagi ang data ng iyong account",
        text: "Sa pagpapatuloy, pinapayagan mo ang {company} na matanggap, sa pamamagitan ng Linchpin, ang \
               impormasyong hawak ng pinili mong provider tungkol sa iyo: kung sino ka, ang iyong trabaho, kita at \
               mga kontribusyon, at ang iyong mga dokumento.\n\n${reading} Hindi kailanman makikita ng {company} ang \
               iyong password.\n\n${retention} Puwede mong bawiin ang iyong pahintulot \
               anumang oras, at agad na buburahin ang impormasyon.",
    },
    ConsentWords {
        locale: "id",
        title: "Bagikan data akun Anda",
        text: "Dengan melanjutkan, Anda mengizinkan {company} menerima, melalui Linchpin, informasi tentang Anda yang \
               disimpan penyedia pilihan Anda: identitas, pekerjaan, penghasilan dan iuran, serta dokumen \
               Anda.\n\n${reading} {company} tidak pernah melihat kata sandi Anda.\n\n${retention} Anda dapat \
               menarik persetujuan kapan saja, dan informasi itu langsung dihapus.",
    },
    ConsentWords {
        locale: "pt-BR",
        title: "Compartilhe os dados da sua conta",
        text: "Ao continuar, você permite que {company} receba, por meio do Linchpin, as informações que o provedor \
               escolhido tem sobre você: quem você é, o seu emprego, a sua renda e as suas contribuições, e os seus \
               documentos.\n\n${reading} {company} nunca vê a sua senha.\n\n${retention} Você pode \
               retirar o consentimento quando quiser, e elas são excluídas imediatamente.",
    },
    ConsentWords {
        locale: "zh-Hans",
        title: "共享您的账户数据",
        text: "继续即表示您允许 {company} 通过 Linchpin 接收您所选机构保存的与您有关的信息：身份、工作、收入和缴费，以及您的文件。\n\n${reading}{company} \
               不会看到您的密码。\n\n${retention}您可以随时撤回同意，届时信息将立即删除。",
    },
    ConsentWords {
        locale: "ar",
        title: "مشاركة بيانات حسابك",
        text: "بالمتابعة تسمح لشركة {company} بأن تتلقى، عبر Linchpin، المعلومات التي تحتفظ بها عنك الجهة التي \
               تختارها: هويتك وعملك ودخلك واشتراكاتك ومستنداتك.\n\n${reading} لا تطّلع شركة {company} على كلمة مرورك \
               أبدًا.\n\n${retention} يمكنك سحب موافقتك في أي وقت، وعندئذٍ تُحذف المعلومات \
               فورًا.",
    },
];

const COMPANY: Value<'static> = Value::Variable("${companyName}");
const NAME: Value<'static> = Value::Variable("${fullName}");

/// Returns the texts of the invite template in a language.
pub(super) fn invite_texts(locale: Locale) -> InviteTranslation {
    let body = [
        locale.text(ServiceText::DefaultGreeting, &[NAME]),
        locale.text(ServiceText::DefaultBody, &[COMPANY]),
    ];
    let description = [
        locale.text(ServiceText::DefaultLandingIntro, &[COMPANY]),
        locale.text(ServiceText::DefaultLandingText, &[]),
    ];
    InviteTranslation {
        email: InviteEmailTexts {
            subject: locale.text(ServiceText::DefaultSubject, &[COMPANY]),
            body: body.join("\n\n"),
        },
        landing_page: InviteLandingPage {
            header: locale.text(ServiceText::DefaultLandingHeader, &[NAME]),
            description: description.join("\n\n"),
            button: locale.text(ServiceText::DefaultLandingButton, &[]),
        },
        success_page: InviteSuccessPage {
            header: locale.text(ServiceText::DefaultSuccessHeader, &[NAME]),
            description: locale.text(ServiceText::DefaultSuccessText, &[COMPANY]),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notifications::generated::text_keys::LOCALES;

    #[test]
    fn consent_text_exists_in_every_language_of_the_widget() {
        let mut translated: Vec<_> = TRANSLATIONS.iter().map(|it| it.locale).collect();
        translated.push(ENGLISH.locale);
        translated.sort_unstable();
        let mut locales = LOCALES.to_vec();
        locales.sort_unstable();
        assert_eq!(translated, locales);
    }

    #[test]
    fn translations_say_what_the_english_text_says() {
        let shape = |text: &str| {
            let count = |part: &str| text.matches(part).count();
            (count("\n\n"), count("Shop"), count("${retention}"), count("${reading}"))
        };
        let english = shape(&ENGLISH.fill("Shop").text);
        assert_eq!((english.2, english.3), (1, 1));
        for words in &TRANSLATIONS {
            assert_eq!(shape(&words.fill("Shop").text), english, "{}", words.locale);
        }
    }
}
