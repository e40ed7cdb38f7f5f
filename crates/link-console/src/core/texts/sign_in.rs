//! The texts of the pages without a session.

use super::words::texts;

texts! {
    /// A text of the pages without a session.
    SignInText;
    EnterText = "This address signs you in once. Then it stops working. If you are signed in here, that session ends.", "Esta dirección inicia tu sesión una sola vez. Después deja de funcionar. Si ya iniciaste sesión aquí, esa sesión termina.";
    EnterButton = "Sign in", "Iniciar sesión";
    EnterFailed = "This address was already used, or it has expired. Get another one on the sign-in page, or from an owner.", "Esta dirección ya se usó o venció. Pide otra en la página de inicio de sesión, o a un propietario.";
    EnterWithoutCode = "The address is incomplete. Open the whole address that you received.", "La dirección está incompleta. Abre la dirección completa que recibiste.";
    SignedOutText = "Open a one-time address in this browser, then try again.", "Abre una dirección de un solo uso en este navegador e intenta de nuevo.";
    TypedStays = "What you typed is still here.", "Lo que escribiste sigue aquí.";
    SignedOutHelp = "An owner of your organization creates one under Members. If no owner can sign in, the operator runs:", "Un propietario de tu organización la crea en Miembros. Si ningún propietario puede entrar, el operador ejecuta:";
    PasskeySignIn = "Sign in with a passkey", "Iniciar sesión con una llave de acceso";
    SignedOutPasskey = "Use a passkey that you added here.", "Usa una llave de acceso que hayas agregado aquí.";
    ToSignIn = "To the sign-in page", "A la página de inicio de sesión";
    LinkButton = "E-mail me a link", "Enviarme un enlace";
    LinkRequested = "If a member has this address, a link is on its way. Open it within 10 minutes. Look in the spam folder too.", "Si un miembro tiene este correo, el enlace está en camino. Ábrelo en 10 minutos. Revisa también el correo no deseado.";
}
