//! The texts of the pages without a session, and of single sign-on.

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

texts! {
    /// A text of single sign-on.
    SignOnText;
    Organization = "Organization or work e-mail", "Organización o correo del trabajo";
    OrganizationHelp = "The id of your organization, or your address there.", "El identificador de tu organización o tu correo ahí.";
    Continue = "Continue with your organization", "Continuar con tu organización";
    OwnTitle = "Your own sign-in", "Tu inicio de sesión";
    OwnText = "Link your account at your organization's provider, to sign in with it.", "Vincula tu cuenta del proveedor de tu organización para iniciar sesión con ella.";
    NotOffered = "Your organization has no single sign-on yet.", "Tu organización aún no tiene inicio de sesión único.";
    Linked = "Your account at your organization's provider is linked.", "Tu cuenta del proveedor de tu organización está vinculada.";
    Link = "Link my account", "Vincular mi cuenta";
    Unlink = "Unlink", "Desvincular";
    UnlinkText = "Your other sessions that began with it end, and you sign in in another way afterwards.", "Tus otras sesiones que empezaron con ella terminan, y después inicias sesión de otra manera.";
    Provider = "OpenID provider", "Proveedor de OpenID";
    Callback = "Register this callback address at the provider, exactly:", "Registra esta dirección de retorno en el proveedor, exactamente:";
    Issuer = "Issuer", "Emisor";
    IssuerHelp = "As in the provider's discovery document, with https.", "Como en el documento de descubrimiento del proveedor, con https.";
    ClientId = "Client id", "Identificador de cliente";
    ClientSecret = "Client secret", "Secreto de cliente";
    SecretHelp = "Leave it empty to keep the present one.", "Déjalo vacío para conservar el actual.";
    NewRole = "Role of members who join with a verified address", "Rol de quienes se unen con un correo verificado";
    Required = "Members who are not owners must sign in with it", "Los miembros que no son propietarios deben usarlo";
    Save = "Save", "Guardar";
    RemoveProvider = "Remove the provider", "Quitar el proveedor";
    RemoveProviderText = "Sessions that began with it end, and members sign in in other ways.", "Las sesiones que empezaron con él terminan, y los miembros inician sesión de otra manera.";
    Domains = "Domains", "Dominios";
    DomainsText = "People with a verified address of a proven domain join by themselves, also after you removed them here: remove them at the provider first.", "Quienes tienen un correo verificado de un dominio comprobado se unen por sí mismos, también después de que los quites aquí: quítalos primero en el proveedor.";
    Domain = "Domain", "Dominio";
    Record = "TXT record", "Registro TXT";
    Proof = "Check now", "Comprobar ahora";
    Proven = "Proven", "Comprobado";
    AddDomain = "Add domain", "Agregar dominio";
    RemoveDomainText = "Members who joined with it stay.", "Los miembros que se unieron con él se quedan.";
}
