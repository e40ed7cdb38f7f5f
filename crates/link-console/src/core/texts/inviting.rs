//! The texts of the page that invites the people of a file.

use super::words::texts;

texts! {
    /// A text of the page that invites the people of a file.
    InvitingText;
    Lead = "Invites up to 5,000 people of a CSV file by mail. The file is checked first; nothing is sent until you say so. A row is invited once, also if you send the file again.", "Invita por correo hasta a 5,000 personas de un archivo CSV. Primero se revisa el archivo; no se envía nada hasta que lo confirmes. Cada fila se invita una sola vez, aunque envíes el archivo de nuevo.";
    Columns = "The first line names the columns: fullName and emailAddress, and if you like firstName, lastName, locale and key. Without a key, an address is invited once with the same templates.", "La primera línea nombra las columnas: fullName y emailAddress, y si quieres firstName, lastName, locale y key. Sin key, cada dirección se invita una vez con las mismas plantillas.";
    InviteTemplate = "Invite template", "Plantilla de invitación";
    LinkTemplate = "Link template", "Plantilla de enlace";
    Site = "Link site", "Sitio de enlace";
    NoSite = "None", "Ninguno";
    File = "CSV file in UTF-8, at most 1 MB", "Archivo CSV en UTF-8, máximo 1 MB";
    TooLarge = "The file has more than 1,048,576 bytes.", "El archivo tiene más de 1,048,576 bytes.";
    Check = "Check file", "Revisar archivo";
    Checking = "Checking…", "Revisando…";
    CheckedTitle = "The file is right", "El archivo es correcto";
    CheckedText = "People to invite: {}", "Personas por invitar: {}";
    KnownText = "Invited before: {}", "Ya invitadas: {}";
    NothingNew = "Everyone in this file was invited before.", "Todas las personas de este archivo ya fueron invitadas.";
    FaultsTitle = "The file has faults. No one is invited.", "El archivo tiene errores. No se invitó a nadie.";
    FaultsText = "Correct them, and choose the file again. At most 200 are listed.", "Corrígelos y elige el archivo de nuevo. Se muestran como máximo 200.";
    Line = "Line", "Línea";
    Column = "Column", "Columna";
    Reason = "Reason", "Motivo";
    Run = "Invite {} people", "Invitar a {} personas";
    Continue = "Continue", "Continuar";
    Running = "Inviting…", "Invitando…";
    Stopped = "Not everyone is invited yet", "Aún faltan personas por invitar";
    Progress = "Done: {}", "Hecho: {}";
    DoneTitle = "Everyone is invited", "Todas las personas están invitadas";
    DoneText = "Invited now: {}", "Invitadas ahora: {}";
    Result = "Result as CSV", "Resultado en CSV";
}
