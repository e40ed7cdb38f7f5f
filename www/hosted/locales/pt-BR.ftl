# Brazilian Portuguese. The keys are those of en.ftl. Conventions: docs/reference/languages.md.

### Todas as páginas de um convite

page-footer = { $company } usa o Linchpin para ler contas com o seu consentimento. A sua senha é enviada só ao provedor que você escolhe.

### O link do e-mail

page-link-unknown-title = Este link não é válido
page-link-unknown-text = Ele pode ter sido substituído por um mais novo, ou o convite pode ter sido retirado. Procure o e-mail mais recente da empresa que convidou você.
page-link-used-title = Este link já foi usado
page-link-used-text = Cada link funciona só uma vez. Podemos enviar um novo para o mesmo endereço.
page-link-expired-title = Este link expirou
page-link-expired-text = Ele valeu por { $days ->
    [one] { $days } dia
   *[other] { $days } dias
}. Podemos enviar um novo para o mesmo endereço.
page-link-again = Enviar um novo link
page-link-sent-title = Um novo link está a caminho
page-link-sent-text = Estamos enviando para o mesmo endereço do primeiro. Você pode fechar esta página.
page-link-early-title = Enviamos um e-mail há menos de um minuto
page-link-early-text = Espere um minuto até ele chegar. Se não chegar, peça outro.
page-link-ended-title = Este convite terminou
page-link-ended-text = Não podemos enviar outro link para ele. Peça um novo convite a { $company }.

### A visita

page-visit-over-title = A sua visita terminou
page-visit-over-text = Abra de novo o seu link. Se ele já foi usado, a página mostra como obter um novo.
page-widget-opening = A janela para conectar a sua conta está abrindo.
page-widget-script = Para conectar uma conta é preciso JavaScript. Ative-o para esta página.
page-widget-closed = Você fechou a janela antes de conectar uma conta. Você pode continuar de onde parou.
page-widget-limited = Esta página foi aberta vezes demais hoje. Tente de novo mais tarde.
page-widget-broken = Algo deu errado. Recarregue esta página.

### A hosted link

page-hosted-used-text = Cada link funciona só uma vez, no navegador que o abriu primeiro. Continue nele ou peça um novo link para { $company }.
page-hosted-expired-text = Peça um novo link para { $company }. Nada do que você já vinculou se perde.

### The phone

page-phone-title = Continue no seu celular
page-phone-opening = A página está carregando.
page-phone-script = Esta página precisa de JavaScript. Ative-o.
page-phone-scan = Mostre o código no computador e escaneie-o novamente.
page-phone-done = Você pode fechar esta página.
page-phone-broken = Algo deu errado. Mostre um novo código no computador e escaneie-o.
page-phone-unknown-title = Este código não é válido

### The login on a provider’s page

page-sign-in-ask-title = Entrar em { $provider }?
page-sign-in-ask-text = { $company } pede que você entre na página do provedor. Depois, recebe dados da sua conta.
page-sign-in-ask-warning = Continue somente se foi você que começou. Se alguém enviou este endereço, feche esta página: essa pessoa receberia seus dados.
page-sign-in-ask-button = Continuar para { $provider }
page-sign-in-here = Continuar nesta janela
page-sign-in-here-text = Continue para ver a situação do seu login. Lá você pode começar de novo.
page-sign-in-received-title = Você já pode voltar
page-sign-in-received-text = Volte para a outra janela. Tudo continua lá automaticamente. Você pode fechar esta página.
page-sign-in-refused-title = Você não permitiu o acesso
page-sign-in-refused-text = Nada foi compartilhado. Volte para a outra janela para tentar de novo ou escolher outro provedor. Você pode fechar esta página.
page-sign-in-failed-title = O provedor não conseguiu fazer seu login
page-sign-in-failed-text = Nada foi compartilhado. Volte para a outra janela, que mostra o próximo passo. Você pode fechar esta página.
page-sign-in-over-title = Este login já terminou
page-sign-in-over-text = Ele foi concluído ou começou de novo. Volte para a outra janela para ver como está. Você pode fechar esta página.
page-sign-in-expired-title = Este login demorou demais
page-sign-in-expired-text = Volte para a outra janela e comece de novo por lá.
page-sign-in-browser-title = Este login começou em outro navegador
page-sign-in-browser-text = Volte para a janela em que você começou e abra a página do provedor por lá, no mesmo navegador.
page-sign-in-issuer-title = A resposta não veio do seu provedor
page-sign-in-issuer-text = Para proteger você, não a usamos. Volte para a outra janela e comece de novo por lá.
page-sign-in-unknown-title = Este endereço não é válido
page-sign-in-unknown-text = Volte para a outra janela e comece de novo por lá.

### A link site

page-site-unknown-title = Esta página não existe
page-site-unknown-text = Confira o endereço ou pergunte à empresa que o deu a você.
page-site-draft-title = Esta página ainda não está aberta
page-site-draft-text = { $company } ainda não a publicou. Tente mais tarde.
page-site-closed-title = Esta página está encerrada
page-site-closed-text = { $company } não recebe mais respostas aqui.
page-site-full-title = Esta página está completa
page-site-full-text = { $company } já recebeu todas as respostas que pediu.
page-site-invited-title = Esta página exige um convite
page-site-invited-text = Abra o link no e-mail de { $company }.
page-site-redirect = Continuar para { $company }

### O formulário

page-form-title = Primeiro, algumas perguntas
page-form-wrong = Corrija os campos marcados abaixo.
page-form-continue = Continuar
page-form-choose = Escolha…
page-form-optional = (opcional)
page-form-required = Este campo é obrigatório.
page-form-long = Este campo aceita no máximo { $count ->
    [one] { $count } caractere
   *[other] { $count } caracteres
}.
page-form-email = Informe um e-mail, como nome@example.com.
page-form-phone = Informe um número de telefone com o código do país.
page-form-date = Informe uma data, como 1990-05-24.
page-form-choice = Escolha uma das opções.
page-form-number = Deve ser um número, como 1250.50.
page-form-short = Deve ter pelo menos { $count ->
    [one] { $count } caractere
   *[other] { $count } caracteres
}.
page-form-digits = Deve ter apenas dígitos.
page-form-alphanumeric = Deve ter apenas letras e dígitos.
page-form-curp = Devem ser as 18 letras e dígitos de uma CURP.
page-form-more = Suas respostas levam a mais perguntas. Responda a elas também.
page-form-retry = Confira suas respostas e pressione o botão novamente.
page-form-saved = { $company } recebe suas respostas à medida que você as dá. Você pode voltar a esta página durante 5 horas.
page-form-bait = Deixe este campo vazio

### The files of a form

page-file-rules = { $formats }, até { $size } MB cada.
page-file-limit = Até { $count } arquivos.
page-file-remove = Remover { $name }
page-file-failed = Não foi possível enviá-lo.
page-file-empty = Este arquivo está vazio.
page-file-large = Este arquivo tem mais de { $size } MB.
page-file-format = Este arquivo tem outro formato. Adicione um destes: { $formats }.
page-file-extra = Este arquivo tem outros dados além do documento. Imprima-o em um novo PDF ou tire outra foto e adicione o novo arquivo.
page-file-encrypted = Este arquivo tem senha. Salve-o sem senha e adicione-o novamente.
page-file-damaged = Este arquivo está danificado ou incompleto. Abra-o no seu aparelho para verificar e adicione-o novamente.
page-file-pages = Este arquivo tem mais de 30 páginas. Adicione somente as páginas que importam.
page-file-pixels = Esta imagem é grande demais. Tire-a novamente com resolução menor.
page-file-many = Não há espaço para este arquivo. Remova outro primeiro.
page-file-quota = Você já enviou tudo o que é permitido. Tente novamente amanhã.
page-file-mismatch = Este arquivo mudou ou não existe mais. Remova-o e adicione-o novamente.

### O fim

page-done-linked = A sua conta está conectada.
page-done-uploaded = Os seus documentos foram enviados.
page-done-both = A sua conta está conectada, e os seus documentos foram enviados.
page-complete-known-title = Você já fez isto
page-complete-known-linked = A sua conta está conectada a { $company }. Não há mais nada a fazer.
page-complete-known-uploaded = Os seus documentos foram enviados para { $company }. Não há mais nada a fazer.
page-complete-title = Este convite está concluído
page-complete-linked = Uma conta foi conectada com ele. Se ele foi enviado a você e não foi você, avise { $company }.
page-complete-uploaded = Documentos foram enviados com ele. Se ele foi enviado a você e não foi você, avise { $company }.

### Solicitações que falharam

page-foreign-title = Esta solicitação veio de outro site
page-foreign-text = Para proteger você, não a processamos. Abra o link do seu convite e use o botão da página.
page-busy-title = Solicitações demais
page-busy-text = Tente de novo em alguns segundos.
page-failed-title = Algo deu errado
page-failed-text = A culpa não é sua, e nada se perdeu. Tente de novo em um minuto.
page-suspended-title = Esta página não está disponível no momento
page-suspended-text = Volte mais tarde. Nada do que você preencheu se perdeu.
page-retry = Tentar de novo

### Parar todos os e-mails

stop-title = Parar todos os e-mails para este endereço?
stop-text = Você não vai receber mais e-mails deste serviço, não importa quem nos peça para enviar. Os convites que você já tem continuam funcionando. Os códigos que você pedir também não chegarão.
stop-button = Parar todos os e-mails para o meu endereço
stop-abuse = Para denunciar um abuso, escreva para { $address }.
stop-done-title = Os e-mails para o seu endereço foram interrompidos
stop-done-text = Não vamos enviar mais e-mails para ele. Você pode fechar esta página.
stop-unknown-title = Este link está incompleto
stop-unknown-text = Copie o link completo do e-mail para o seu navegador, ou escreva para o endereço indicado no e-mail.

### As páginas que pedem a confirmação de um e-mail, e o e-mail com o código

page-proof-title = Confirme o seu e-mail
page-proof-text = { $company } pede o seu e-mail antes de continuar. Enviamos um código para ele.
page-proof-address = Endereço de e-mail
page-proof-send = Enviar um código para mim
page-proof-code-title = Digite o código
page-proof-code-text = Enviamos um e-mail com um código para { $address }. O código funciona por 10 minutos. Se você não vir o e-mail, procure na pasta de spam.
page-proof-code = Código de 6 dígitos
page-proof-again = Enviar outro código
page-proof-correct = Usar outro endereço
page-proof-digits = Digite os 6 dígitos do código.
page-proof-wrong = Este não é o código do nosso último e-mail. Confira e tente de novo.
page-proof-over = Este código não funciona mais. Peça outro.
page-proof-soon = Enviamos um código há menos de um minuto. Aguarde um minuto antes de pedir outro.
page-proof-most = Já enviamos 4 códigos e não podemos enviar mais nesta visita. Digite o código do nosso último e-mail ou comece de novo em 10 minutos.
page-proof-ended = Este código não funciona mais, e já enviamos 4 códigos. Comece de novo.
page-proof-busy = Foram pedidos códigos demais na sua rede. Tente de novo em alguns minutos.
page-proof-unavailable = No momento, não podemos enviar códigos. Tente de novo amanhã.
page-proof-refused = Não podemos enviar e-mails para este endereço agora. Confira ou use outro.
proof-mail-subject = O seu código para { $company }
proof-mail-body = Digite este código na página de { $company } para confirmar o seu e-mail.
proof-mail-note = O código funciona por 10 minutos e apenas na página em que foi pedido. Não o repasse.
proof-mail-reason = O seu endereço foi digitado em uma página de { $company }. Se não foi você, ignore este e-mail.

### A person's own page, and the mail with its link. They have no tenant

me-title = Os seus dados
me-ask-text = Veja o que você forneceu a empresas com o Linchpin, baixe uma cópia, pare de compartilhar ou peça a exclusão. Enviamos um link para o seu e-mail.
me-ask-label = O endereço para o qual o seu convite foi enviado
me-ask-button = Enviar um link para mim
me-ask-again = Pedir um link
me-asked-title = Verifique o seu e-mail
me-asked-text = Se tivermos dados fornecidos por um link enviado a este endereço, um e-mail com um link está a caminho. O link funciona uma vez, por 30 minutos. Um endereço para o qual os nossos e-mails foram interrompidos não recebe nenhum.
me-open-title = Abra a sua página
me-open-text = O botão mostra os seus dados neste dispositivo por 30 minutos. O link funciona uma vez.
me-open-button = Mostrar os meus dados
me-open-over = Ele já foi usado ou expirou. Peça um novo.
me-over-title = A sua página está fechada
me-over-text = Peça um novo link para ver os seus dados novamente.
me-list-text = Você forneceu isto por um link em um e-mail para o seu endereço. Sobre dados fornecidos de outra forma, pergunte à empresa.
me-list-empty = Não temos dados que você forneceu por um link em um e-mail para o seu endereço.
me-sandbox = Ambiente de testes: estes dados não são reais.
me-given = Fornecido em
me-until = Guardado até
me-until-synced = Guardado, se não for atualizado antes, até
me-unfinished = Não conectado; excluído em
me-shared = Você compartilha
me-form = Respostas a um formulário
me-consent = O texto com o qual você concordou
me-copy-json = Baixar em JSON
me-copy-pdf = Baixar em PDF
me-stop = Parar de compartilhar
me-erase = Excluir
me-erase-all = Excluir tudo
me-leave = Sair
me-back = Voltar aos seus dados
me-stop-title = Parar de compartilhar com { $company }?
me-erase-title = Excluir o que você forneceu a { $company }?
me-end-text = { $company } não recebe novos dados, e excluímos os que temos. Isso não pode ser desfeito.
me-end-copies = { $company } pode já ter copiado dados. Peça a { $company } que exclua as cópias.
me-done-title = Os seus dados foram excluídos
me-done-text = { $company } não pode mais lê-los aqui.
me-page-link = Ver ou excluir os dados que você forneceu
me-mail-subject = O link para os seus dados
me-mail-body = Abra a sua página para ver o que você forneceu a empresas, baixar os dados ou pedir a exclusão. O link funciona uma vez, por 30 minutos.
me-mail-reason = O seu endereço foi digitado na nossa página. Se não foi você, ignore este e-mail: só este link mostra os dados.
portal-mail-subject = Entre no portal do desenvolvedor
portal-mail-body = O link inicia sua sessão no portal do desenvolvedor uma única vez, nos 10 minutos após o seu pedido.
portal-mail-several = Escolha uma organização do portal do desenvolvedor. Você pode usar um destes links, uma única vez, nos 10 minutos após o seu pedido.
portal-mail-button = Entrar em { $company }
portal-mail-reason = Alguém digitou seu endereço na página de entrada do portal do desenvolvedor. Se não foi você, ignore este e-mail e não passe o link adiante.
me-data-identities = Nome e dados de contato
me-data-documents = Documentos e os seus arquivos
me-data-employments = Empregos
me-data-incomes = Salários
me-data-transactions = Pagamentos e transações
me-data-contributions = Contribuições para fundos
me-data-liabilities = Empréstimos
me-data-eincomes = Estimativas da sua renda mensal
me-data-ratings = Avaliações em plataformas
me-data-links = Quando você conectou este provedor
me-data-insights = Números calculados com os seus dados
me-archive-payslip = Holerite
me-archive-tax = Documento fiscal
me-archive-company = Crachá da empresa
me-archive-identity = Documento de identidade
me-archive-clearance = Certidão de antecedentes
me-archive-certificate = Declaração
me-archive-bank = Extrato bancário

### O e-mail de um convite

mail-link = Este link é só para você e funciona uma vez.
mail-copy = Se o botão não funcionar, copie este endereço para o seu navegador:
mail-reason = { $company } pediu que enviássemos este e-mail a você.
mail-stop = Parar todos os nossos e-mails para este endereço
mail-abuse = Denunciar um abuso:

### Os textos do modelo de convite de uma organização nova

default-subject = { $company } pede que você conecte uma conta
default-greeting = Olá, { $name },
default-body = { $company } pede que você conecte a conta que você tem no instituto de previdência, no seu empregador ou no aplicativo para o qual trabalha. Leva alguns minutos, e { $company } nunca vê a sua senha.
default-landing-header = Olá, { $name }
default-landing-intro = { $company } pede que você conecte uma conta.
default-landing-text = Você escolhe o provedor, vê quais informações são lidas e entra na sua conta por lá. Você pode retirar o seu consentimento a qualquer momento.
default-landing-button = Conectar uma conta
default-success-header = Agradecemos, { $name }
default-success-text = Já avisamos { $company }. Você pode fechar esta página.
