# Mexican Spanish. The keys are those of en.ftl. Conventions: docs/reference/languages.md.

### Todas las páginas de una invitación

page-footer = { $company } usa Linchpin para leer cuentas con tu consentimiento. Tu contraseña se envía solo al proveedor que eliges.

### El enlace del correo

page-link-unknown-title = Este enlace no es válido
page-link-unknown-text = Quizá lo reemplazó uno más nuevo o se retiró la invitación. Busca el correo más reciente de la empresa que te invitó.
page-link-used-title = Este enlace ya se usó
page-link-used-text = Cada enlace funciona una sola vez. Podemos enviar uno nuevo al mismo correo.
page-link-expired-title = Este enlace ya venció
page-link-expired-text = Fue válido por { $days ->
    [one] { $days } día
   *[other] { $days } días
}. Podemos enviar uno nuevo al mismo correo.
page-link-again = Enviarme un enlace nuevo
page-link-sent-title = Un enlace nuevo va en camino
page-link-sent-text = Lo estamos enviando al mismo correo que el primero. Puedes cerrar esta página.
page-link-early-title = Te enviamos un correo hace menos de un minuto
page-link-early-text = Espera un minuto a que llegue. Si no llega, pide otro.
page-link-ended-title = Esta invitación terminó
page-link-ended-text = No podemos enviar otro enlace para ella. Pide a { $company } una invitación nueva.

### La visita

page-visit-over-title = Tu visita terminó
page-visit-over-text = Abre otra vez tu enlace. Si ya se usó, la página te dice cómo obtener uno nuevo.
page-widget-opening = Se está abriendo la ventana para conectar tu cuenta.
page-widget-script = Para conectar una cuenta se necesita JavaScript. Actívalo para esta página.
page-widget-closed = Cerraste la ventana antes de conectar una cuenta. Puedes continuar donde te quedaste.
page-widget-limited = Esta página se abrió demasiadas veces hoy. Intenta de nuevo más tarde.
page-widget-broken = Algo salió mal. Vuelve a cargar esta página.

### A hosted link

page-hosted-used-text = Cada enlace funciona una sola vez, en el navegador que lo abrió primero. Continúa ahí o pide un enlace nuevo a { $company }.
page-hosted-expired-text = Pide un enlace nuevo a { $company }. No se pierde nada de lo que ya vinculaste.

### The phone

page-phone-title = Continúa en tu teléfono
page-phone-opening = La página se está cargando.
page-phone-script = Esta página necesita JavaScript. Actívalo, por favor.
page-phone-scan = Muestra el código en tu computadora y escanéalo de nuevo.
page-phone-done = Puedes cerrar esta página.
page-phone-broken = Algo salió mal. Muestra un código nuevo en tu computadora y escanéalo.
page-phone-unknown-title = Este código no es válido

### The login on a provider’s page

page-sign-in-ask-title = ¿Iniciar sesión en { $provider }?
page-sign-in-ask-text = { $company } te pide iniciar sesión en la página del proveedor. Después recibe datos de tu cuenta.
page-sign-in-ask-warning = Continúa solo si tú empezaste esto. Si alguien te envió esta dirección, cierra esta página: esa persona recibiría tus datos.
page-sign-in-ask-button = Continuar a { $provider }
page-sign-in-here = Continuar en esta ventana
page-sign-in-here-text = Continúa para ver el estado de tu inicio de sesión. Ahí puedes empezar de nuevo.
page-sign-in-received-title = Ya puedes regresar
page-sign-in-received-text = Regresa a la otra ventana. Ahí continúa todo solo. Puedes cerrar esta página.
page-sign-in-refused-title = No diste acceso
page-sign-in-refused-text = No se compartió nada. Regresa a la otra ventana para intentar de nuevo o elegir otro proveedor. Puedes cerrar esta página.
page-sign-in-failed-title = El proveedor no pudo iniciar tu sesión
page-sign-in-failed-text = No se compartió nada. Regresa a la otra ventana, que te dice qué sigue. Puedes cerrar esta página.
page-sign-in-over-title = Este inicio de sesión ya terminó
page-sign-in-over-text = Se completó o se empezó de nuevo. Regresa a la otra ventana para ver cómo va. Puedes cerrar esta página.
page-sign-in-expired-title = Este inicio de sesión tardó demasiado
page-sign-in-expired-text = Regresa a la otra ventana y empieza de nuevo ahí.
page-sign-in-browser-title = Este inicio de sesión empezó en otro navegador
page-sign-in-browser-text = Regresa a la ventana donde empezaste y abre desde ahí la página del proveedor, en el mismo navegador.
page-sign-in-issuer-title = La respuesta no vino de tu proveedor
page-sign-in-issuer-text = Para protegerte, no la usamos. Regresa a la otra ventana y empieza de nuevo ahí.
page-sign-in-unknown-title = Esta dirección no es válida
page-sign-in-unknown-text = Regresa a la otra ventana y empieza de nuevo ahí.

### A link site

page-site-unknown-title = Esta página no existe
page-site-unknown-text = Revisa la dirección o pregunta a la empresa que te la dio.
page-site-draft-title = Esta página aún no está abierta
page-site-draft-text = { $company } no la ha publicado. Inténtalo más tarde.
page-site-closed-title = Esta página está cerrada
page-site-closed-text = { $company } ya no recibe respuestas aquí.
page-site-full-title = Esta página está completa
page-site-full-text = { $company } ya recibió todas las respuestas que pidió.
page-site-invited-title = Esta página requiere una invitación
page-site-invited-text = Abre el enlace del correo de { $company }.
page-site-redirect = Continuar a { $company }

### El formulario

page-form-title = Primero, unas preguntas
page-form-wrong = Corrige los campos marcados abajo.
page-form-continue = Continuar
page-form-choose = Elige…
page-form-optional = (opcional)
page-form-required = Este dato es obligatorio.
page-form-long = Debe tener como máximo { $count ->
    [one] { $count } carácter
   *[other] { $count } caracteres
}.
page-form-email = Debe ser un correo, como nombre@example.com.
page-form-phone = Debe ser un número de teléfono con la clave del país.
page-form-date = Debe ser una fecha, como 1990-05-24.
page-form-choice = Debe ser una de las opciones.
page-form-number = Debe ser un número, como 1250.50.
page-form-short = Debe tener al menos { $count ->
    [one] { $count } carácter
   *[other] { $count } caracteres
}.
page-form-digits = Debe tener solo dígitos.
page-form-alphanumeric = Debe tener solo letras y dígitos.
page-form-curp = Deben ser las 18 letras y dígitos de una CURP.
page-form-more = Tus respuestas llevan a más preguntas. Respóndelas también.
page-form-retry = Revisa tus respuestas y vuelve a presionar el botón.
page-form-saved = { $company } recibe tus respuestas conforme las das. Puedes volver a esta página durante 5 horas.
page-form-bait = Deja este campo vacío

### The files of a form

page-file-rules = { $formats }, hasta { $size } MB cada uno.
page-file-limit = Hasta { $count } archivos.
page-file-remove = Quitar { $name }
page-file-failed = No se pudo enviar.
page-file-empty = Este archivo está vacío.
page-file-large = Este archivo pesa más de { $size } MB.
page-file-format = Este archivo tiene otro formato. Agrega uno de estos: { $formats }.
page-file-extra = Este archivo tiene otros datos además del documento. Imprímelo a un PDF nuevo o toma otra foto, y agrégalo.
page-file-encrypted = Este archivo tiene contraseña. Guárdalo sin ella y agrégalo de nuevo.
page-file-damaged = Este archivo está dañado o incompleto. Ábrelo en tu dispositivo para revisarlo y agrégalo de nuevo.
page-file-pages = Este archivo tiene más de 30 páginas. Agrega solo las que importan.
page-file-pixels = Esta imagen es demasiado grande. Tómala de nuevo con menor resolución.
page-file-many = Ya no cabe este archivo. Primero quita otro.
page-file-quota = Ya subiste todo lo permitido. Intenta de nuevo mañana.
page-file-mismatch = Este archivo cambió o ya no está. Quítalo y agrégalo de nuevo.

### El final

page-done-linked = Tu cuenta está conectada.
page-done-uploaded = Tus documentos se subieron.
page-done-both = Tu cuenta está conectada y tus documentos se subieron.
page-complete-known-title = Ya hiciste esto
page-complete-known-linked = Tu cuenta está conectada con { $company }. No queda nada por hacer.
page-complete-known-uploaded = Tus documentos se subieron para { $company }. No queda nada por hacer.
page-complete-title = Esta invitación está completa
page-complete-linked = Con ella se conectó una cuenta. Si la recibiste tú y no fuiste tú, avisa a { $company }.
page-complete-uploaded = Con ella se subieron documentos. Si la recibiste tú y no fuiste tú, avisa a { $company }.

### Solicitudes que fallaron

page-foreign-title = Esta solicitud vino de otro sitio
page-foreign-text = Para protegerte, no la procesamos. Abre el enlace de tu invitación y presiona el botón que está ahí.
page-busy-title = Demasiadas solicitudes
page-busy-text = Intenta de nuevo en unos segundos.
page-failed-title = Algo salió mal
page-failed-text = No es culpa tuya y no se perdió nada. Intenta de nuevo en un minuto.
page-suspended-title = Esta página no está disponible por ahora
page-suspended-text = Vuelve más tarde. No se perdió nada de lo que escribiste.
page-retry = Intentar de nuevo

### Dejar de recibir correos

stop-title = ¿Dejar de enviar correos a esta dirección?
stop-text = Ya no recibirás correos de este servicio, sin importar quién nos pida enviarlos. Las invitaciones que ya tienes siguen funcionando. Tampoco llegarán los códigos que tú pidas.
stop-button = No enviar más correos a mi dirección
stop-abuse = Para reportar un abuso, escribe a { $address }.
stop-done-title = Ya no enviaremos correos a tu dirección
stop-done-text = No le llegará ningún correo más de nosotros. Puedes cerrar esta página.
stop-unknown-title = Este enlace está incompleto
stop-unknown-text = Copia el enlace completo del correo en tu navegador o escribe a la dirección que aparece en el correo.

### Las páginas que piden demostrar una dirección de correo, y el correo con el código

page-proof-title = Confirma tu dirección de correo
page-proof-text = { $company } pide tu dirección de correo antes de seguir. Te enviamos un código.
page-proof-address = Dirección de correo
page-proof-send = Enviarme un código
page-proof-code-title = Escribe el código
page-proof-code-text = Enviamos un correo con un código a { $address }. El código funciona durante 10 minutos. Si no ves el correo, busca en la carpeta de spam.
page-proof-code = Código de 6 dígitos
page-proof-again = Enviar otro código
page-proof-correct = Usar otra dirección
page-proof-digits = Escribe los 6 dígitos del código.
page-proof-wrong = Este no es el código de nuestro último correo. Revísalo e intenta de nuevo.
page-proof-over = Este código ya no funciona. Pide otro.
page-proof-soon = Enviamos un código hace menos de un minuto. Espera un minuto antes de pedir otro.
page-proof-most = Ya enviamos 4 códigos y no podemos enviar más en esta visita. Escribe el código de nuestro último correo o empieza de nuevo en 10 minutos.
page-proof-ended = Este código ya no funciona y ya enviamos 4 códigos. Empieza de nuevo.
page-proof-busy = Se pidieron demasiados códigos desde tu red. Intenta de nuevo en unos minutos.
page-proof-unavailable = Por el momento no podemos enviar códigos. Intenta de nuevo mañana.
page-proof-refused = Ahora no podemos enviar correos a esta dirección. Revísala o usa otra.
proof-mail-subject = Tu código para { $company }
proof-mail-body = Escribe este código en la página de { $company } para confirmar tu dirección de correo.
proof-mail-note = El código funciona durante 10 minutos y solo en la página en la que se pidió. No lo compartas.
proof-mail-reason = Alguien escribió tu dirección en una página de { $company }. Si no fuiste tú, ignora este correo.

### A person's own page, and the mail with its link. They have no tenant

me-title = Tus datos
me-ask-text = Consulta lo que diste a empresas con Linchpin, descarga una copia, deja de compartirlo o pide que se borre. Te enviamos un enlace por correo.
me-ask-label = La dirección a la que llegó tu invitación
me-ask-button = Enviarme un enlace
me-ask-again = Pedir un enlace
me-asked-title = Revisa tu correo
me-asked-text = Si tenemos datos que se dieron con un enlace enviado a esta dirección, va en camino un correo con un enlace. Funciona una sola vez, durante 30 minutos. Si se detuvieron nuestros correos a la dirección, no recibe ninguno.
me-open-title = Abre tu página
me-open-text = El botón muestra tus datos en este dispositivo durante 30 minutos. El enlace funciona una sola vez.
me-open-button = Ver mis datos
me-open-over = Ya se usó o ya venció. Pide uno nuevo.
me-over-title = Tu página está cerrada
me-over-text = Pide un enlace nuevo para volver a ver tus datos.
me-list-text = Diste esto con un enlace de un correo a tu dirección. Si diste datos de otra forma, pregunta a la empresa.
me-list-empty = No tenemos datos que hayas dado con un enlace de un correo a tu dirección.
me-sandbox = Entorno de pruebas: estos datos no son reales.
me-given = Se dio el
me-until = Se guarda hasta el
me-until-synced = Se guarda, si no se actualiza antes, hasta el
me-unfinished = Sin conectar; se borra el
me-shared = Compartes
me-form = Respuestas a un formulario
me-consent = El texto que aceptaste
me-copy-json = Descargar como JSON
me-copy-pdf = Descargar como PDF
me-stop = Dejar de compartir
me-erase = Borrar
me-erase-all = Borrar todo
me-leave = Salir
me-back = Volver a tus datos
me-stop-title = ¿Dejar de compartir con { $company }?
me-erase-title = ¿Borrar lo que diste a { $company }?
me-end-text = { $company } no recibe más datos y borramos los que tenemos. Esto no se puede deshacer.
me-end-copies = Es posible que { $company } ya haya copiado datos. Pide a { $company } que borre sus copias.
me-done-title = Tus datos se borraron
me-done-text = { $company } ya no puede leerlos aquí.
me-page-link = Ver o borrar los datos que diste
me-mail-subject = El enlace a tus datos
me-mail-body = Abre tu página para ver lo que diste a empresas, descargarlo o pedir que se borre. El enlace funciona una sola vez, durante 30 minutos.
me-mail-reason = Alguien escribió tu dirección en nuestra página. Si no fuiste tú, ignora este correo: solo este enlace muestra los datos.
portal-mail-subject = Entra al portal para desarrolladores
portal-mail-body = El enlace inicia tu sesión en el portal para desarrolladores una sola vez, en los 10 minutos siguientes a tu solicitud.
portal-mail-several = Elige una organización del portal para desarrolladores. Puedes usar uno de estos enlaces, una sola vez, en los 10 minutos siguientes a tu solicitud.
portal-mail-button = Entrar a { $company }
portal-mail-reason = Alguien escribió tu dirección en la página de inicio de sesión del portal para desarrolladores. Si no fuiste tú, ignora este correo y no compartas el enlace.
me-data-identities = Nombre y datos de contacto
me-data-documents = Documentos y sus archivos
me-data-employments = Empleos
me-data-incomes = Pagos de nómina
me-data-transactions = Pagos y movimientos
me-data-contributions = Aportaciones a fondos
me-data-liabilities = Préstamos
me-data-eincomes = Estimaciones de tu ingreso mensual
me-data-ratings = Calificaciones en plataformas
me-data-links = Cuándo conectaste este proveedor
me-data-insights = Cifras calculadas con tus datos
me-archive-payslip = Recibo de nómina
me-archive-tax = Documento fiscal
me-archive-company = Credencial de la empresa
me-archive-identity = Identificación oficial
me-archive-clearance = Constancia de no antecedentes penales
me-archive-certificate = Constancia
me-archive-bank = Estado de cuenta

### El correo de una invitación

mail-link = Este enlace es solo para ti y funciona una sola vez.
mail-copy = Si el botón no funciona, copia esta dirección en tu navegador:
mail-reason = { $company } nos pidió enviarte este correo.
mail-stop = Dejar de recibir todos nuestros correos en esta dirección
mail-abuse = Reportar un abuso:

### Los textos de la plantilla de invitación de una organización nueva

default-subject = { $company } te pide conectar una cuenta
default-greeting = Hola, { $name }:
default-body = { $company } te pide conectar la cuenta que tienes con tu instituto de seguridad social, tu empleador o la app para la que trabajas. Toma unos minutos, y { $company } nunca ve tu contraseña.
default-landing-header = Hola, { $name }
default-landing-intro = { $company } te pide conectar una cuenta.
default-landing-text = Tú eliges el proveedor, ves qué información se lee e inicias sesión ahí. Puedes retirar tu consentimiento en cualquier momento.
default-landing-button = Conectar una cuenta
default-success-header = Gracias, { $name }
default-success-text = Ya avisamos a { $company }. Puedes cerrar esta página.
