//! The sentence of a consent text that says whether data is read once or again. It follows the link template, so that the
//! text is true whenever the template changes.

use std::borrow::Cow;

use link_types::template::SyncInterval;

use crate::languages::Languages;

/// The placeholder of the sentence in a consent text.
pub const VARIABLE: &str = "${reading}";

/// The sentence in one language. `{interval}` says how often data is read again.
struct Sentences {
    locale: &'static str,
    once: &'static str,
    again: &'static str,
    daily: &'static str,
    weekly: &'static str,
    monthly: &'static str,
}

/// Returns a consent text with a sentence in place of each [`VARIABLE`].
pub fn filled<'a>(text: &'a str, sentence: &str) -> Cow<'a, str> {
    match text.contains(VARIABLE) {
        true => Cow::Owned(text.replace(VARIABLE, sentence)),
        false => Cow::Borrowed(text),
    }
}

/// Returns the sentence for a text in this language, or in English if the service does not have it. `sync` is how often the
/// link template has data read again.
pub fn sentence(locale: &str, sync: Option<SyncInterval>) -> String {
    let best = Languages::of(locale).best(ALL.iter().map(|it| it.locale));
    let sentences = ALL.iter().find(|it| Some(it.locale) == best).unwrap_or(&ENGLISH);
    match sync {
        None => sentences.once.to_owned(),
        Some(SyncInterval::Daily) => sentences.again.replace("{interval}", sentences.daily),
        Some(SyncInterval::Weekly) => sentences.again.replace("{interval}", sentences.weekly),
        Some(SyncInterval::Monthly) => sentences.again.replace("{interval}", sentences.monthly),
    }
}

const ENGLISH: Sentences = Sentences {
    locale: "en",
    once: "Your login is used to read this information once.",
    again: "Your login is used to read this information now, and again {interval} where the provider allows it, while \
            your consent lasts.",
    daily: "every day",
    weekly: "every week",
    monthly: "every month",
};

/// The sentences in every language of the widget.
const ALL: [Sentences; 7] = [
    ENGLISH,
    Sentences {
        locale: "es-MX",
        once: "Tus datos de acceso se usan para leer esta información una sola vez.",
        again: "Tus datos de acceso se usan para leer esta información ahora y otra vez {interval}, donde el \
                proveedor lo permita, mientras dure tu consentimiento.",
        daily: "cada día",
        weekly: "cada semana",
        monthly: "cada mes",
    },
    Sentences {
        locale: "fil",
        once: "Ginagamit ang iyong login para basahin ang impormasyong ito nang isang beses lang.",
        again: "Ginagamit ang iyong login para basahin ang impormasyong ito ngayon, at muli {interval} kung \
                pinapayagan ng provider, habang may bisa ang iyong pahintulot.",
        daily: "araw-araw",
        weekly: "bawat linggo",
        monthly: "bawat buwan",
    },
    Sentences {
        locale: "id",
        once: "Data masuk Anda digunakan untuk membaca informasi ini satu kali.",
        again: "Data masuk Anda digunakan untuk membaca informasi ini sekarang, dan lagi {interval} jika penyedia \
                mengizinkan, selama persetujuan Anda berlaku.",
        daily: "setiap hari",
        weekly: "setiap minggu",
        monthly: "setiap bulan",
    },
    Sentences {
        locale: "pt-BR",
        once: "O seu login é usado para ler essas informações uma única vez.",
        again: "O seu login é usado para ler essas informações agora e de novo {interval}, onde o provedor permitir, \
                enquanto o seu consentimento durar.",
        daily: "todos os dias",
        weekly: "toda semana",
        monthly: "todo mês",
    },
    Sentences {
        locale: "zh-Hans",
        once: "您的登录信息仅用于读取这些信息一次。",
        again: "您的登录信息现在用于读取这些信息；在您的同意有效期间，如果机构允许，之后{interval}再次读取。",
        daily: "每天",
        weekly: "每周",
        monthly: "每月",
    },
    Sentences {
        locale: "ar",
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

    const INTERVALS: [Option<SyncInterval>; 4] =
        [None, Some(SyncInterval::Daily), Some(SyncInterval::Weekly), Some(SyncInterval::Monthly)];

    #[test]
    fn sentence_exists_in_every_language_of_the_widget() {
        let mut known: Vec<_> = ALL.iter().map(|it| it.locale).collect();
        known.sort_unstable();
        let mut locales = LOCALES.to_vec();
        locales.sort_unstable();
        assert_eq!(known, locales);
    }

    #[rstest]
    #[case::once("en", None, "read this information once.")]
    #[case::daily("en-GB", Some(SyncInterval::Daily), "again every day where")]
    #[case::weekly("es", Some(SyncInterval::Weekly), "otra vez cada semana")]
    #[case::other_language("fr", Some(SyncInterval::Monthly), "again every month where")]
    fn text_says_how_often_data_is_read(
        #[case] locale: &str,
        #[case] sync: Option<SyncInterval>,
        #[case] says: &str,
    ) {
        let text = filled("Before. ${reading} After.", &sentence(locale, sync));
        assert!(text.contains(says) && text.ends_with(" After.") && !text.contains('{'), "{text}");
    }

    #[test]
    fn text_without_the_variable_is_unchanged() {
        assert_eq!(filled("Read it.", "Once."), "Read it.");
    }

    #[test]
    fn each_interval_has_its_own_sentence() {
        for sentences in &ALL {
            let texts: std::collections::BTreeSet<_> =
                INTERVALS.iter().map(|sync| sentence(sentences.locale, *sync)).collect();
            assert_eq!(texts.len(), INTERVALS.len(), "{}", sentences.locale);
        }
    }
}
