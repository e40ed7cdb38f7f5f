//! The consent text of a new tenant, in every language of the widget. `{company}` is replaced by the tenant's name.

/// Title and text in English.
pub(super) const ENGLISH: (&str, &str) = (
    "Share your account data",
    "By continuing you let {company} receive, through Linchpin, the information that the provider you choose holds \
     about you: who you are, your employment, your income and contributions, and your documents.\n\nYour login is used \
     to read this information, and may be used again to keep it up to date while your consent lasts. {company} never \
     sees your password.\n\nThe information is kept for at most 60 days. You can withdraw your consent at any time, and \
     it is removed at once.",
);

/// Locale, title and text of the translations.
pub(super) const TRANSLATIONS: [(&str, &str, &str); 6] = [
    (
        "es-MX",
        "Comparte los datos de tu cuenta",
        "Al continuar permites que {company} reciba, por medio de Linchpin, la información que el proveedor que eliges \
         tiene sobre ti: quién eres, tu empleo, tus ingresos y aportaciones, y tus documentos.\n\nTus datos de acceso se \
         usan para leer esta información, y pueden usarse de nuevo para mantenerla al día mientras dure tu \
         consentimiento. {company} nunca ve tu contraseña.\n\nLa información se conserva por un máximo de 60 días. Puedes \
         retirar tu consentimiento en cualquier momento, y la información se borra de inmediato.",
    ),
    (
        "fil",
        "Ibahagi ang data ng iyong account",
        "Sa pagpapatuloy, pinapayagan mo ang {company} na matanggap, sa pamamagitan ng Linchpin, ang impormasyong hawak \
         ng pinili mong provider tungkol sa iyo: kung sino ka, ang iyong trabaho, kita at mga kontribusyon, at ang iyong \
         mga dokumento.\n\nGinagamit ang iyong login para basahin ang impormasyong ito, at maaaring gamitin ulit para \
         panatilihin itong updated habang may bisa ang iyong pahintulot. Hindi kailanman makikita ng {company} ang iyong \
         password.\n\nItinatago ang impormasyon nang hanggang 60 araw. Puwede mong bawiin ang iyong pahintulot anumang \
         oras, at agad itong buburahin.",
    ),
    (
        "id",
        "Bagikan data akun Anda",
        "Dengan melanjutkan, Anda mengizinkan {company} menerima, melalui Linchpin, informasi tentang Anda yang disimpan \
         penyedia pilihan Anda: identitas, pekerjaan, penghasilan dan iuran, serta dokumen Anda.\n\nData masuk Anda \
         digunakan untuk membaca informasi ini, dan dapat digunakan lagi agar informasi tetap terbaru selama persetujuan \
         Anda berlaku. {company} tidak pernah melihat kata sandi Anda.\n\nInformasi disimpan paling lama 60 hari. Anda \
         dapat menarik persetujuan kapan saja, dan informasi itu langsung dihapus.",
    ),
    (
        "pt-BR",
        "Compartilhe os dados da sua conta",
        "Ao continuar, você permite que {company} receba, por meio do Linchpin, as informações que o provedor escolhido \
         tem sobre você: quem você é, o seu emprego, a sua renda e as suas contribuições, e os seus documentos.\n\nO seu \
         login é usado para ler essas informações e pode ser usado novamente para mantê-las atualizadas enquanto o seu \
         consentimento durar. {company} nunca vê a sua senha.\n\nAs informações são guardadas por no máximo 60 dias. Você \
         pode retirar o consentimento quando quiser, e elas são excluídas imediatamente.",
    ),
    (
        "zh-Hans",
        "共享您的账户数据",
        "继续即表示您允许 {company} 通过 Linchpin 接收您所选机构保存的与您有关的信息：身份、工作、收入和缴费，以及您的文件。\n\n\
         您的登录信息用于读取这些信息；在您的同意有效期间，也可能再次用于更新这些信息。{company} 不会看到您的密码。\n\n\
         这些信息最长保存 60 天。您可以随时撤回同意，届时信息将立即删除。",
    ),
    (
        "ar",
        "مشاركة بيانات حسابك",
        "بالمتابعة تسمح لشركة {company} بأن تتلقى، عبر Linchpin، المعلومات التي تحتفظ بها عنك الجهة التي تختارها: هويتك \
         وعملك ودخلك واشتراكاتك ومستنداتك.\n\nتُستخدم بيانات دخولك لقراءة هذه المعلومات، وقد تُستخدم مرة أخرى لإبقائها \
         محدّثة ما دامت موافقتك سارية. لا تطّلع شركة {company} على كلمة مرورك أبدًا.\n\nتُحفظ المعلومات مدة أقصاها 60 يومًا. \
         يمكنك سحب موافقتك في أي وقت، وعندئذٍ تُحذف المعلومات فورًا.",
    ),
];

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generated::text_keys::LOCALES;

    #[test]
    fn consent_text_exists_in_every_language_of_the_widget() {
        let mut translated: Vec<_> = TRANSLATIONS.iter().map(|(locale, ..)| *locale).collect();
        translated.push("en");
        translated.sort_unstable();
        let mut locales = LOCALES.to_vec();
        locales.sort_unstable();
        assert_eq!(translated, locales);
    }

    #[test]
    fn translations_have_the_paragraphs_and_names_of_the_english_text() {
        let shape = |text: &str| {
            (text.matches("\n\n").count(), text.matches("{company}").count(), text.contains("60"))
        };
        for (locale, _, text) in TRANSLATIONS {
            assert_eq!(shape(text), shape(ENGLISH.1), "{locale}");
        }
    }
}
