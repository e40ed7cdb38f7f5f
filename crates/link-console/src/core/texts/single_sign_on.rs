//! The texts of single sign-on.

use super::words::texts;

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
