# English: the source of the hosted pages and of the mails. Every other locale has the same keys with the same arguments.
# Style as in www/frame/locales/en.ftl: calm and exact. What happened, then what to do next.

### Every page of an invitation

page-footer = { $company } uses Linchpin to read accounts with your consent. Your password is sent only to the provider you choose.

### The link in the mail

page-link-unknown-title = This link is not valid
page-link-unknown-text = It may have been replaced by a newer one, or the invitation may have been withdrawn. Look for the latest email from the company that invited you.
page-link-used-title = This link was already used
page-link-used-text = Each link works only once. We can send a new one to the same address.
page-link-expired-title = This link has expired
page-link-expired-text = It was valid for { $days ->
    [one] { $days } day
   *[other] { $days } days
}. We can send a new one to the same address.
page-link-again = Send me a new link
page-link-sent-title = A new link is on its way
page-link-sent-text = We are sending it to the same address as the first one. You can close this page.
page-link-early-title = We sent you an email less than a minute ago
page-link-early-text = Wait a minute for it to arrive. If it does not, request another one.
page-link-ended-title = This invitation has ended
page-link-ended-text = We cannot send another link for it. Please ask { $company } for a new invitation.

### The visit

page-visit-over-title = Your visit has ended
page-visit-over-text = Open your link again. If it was already used, the page says how to get a new one.
page-widget-opening = The window for linking your account is opening.
page-widget-script = Linking an account requires JavaScript. Please enable it for this page.
page-widget-closed = You closed the window before an account was linked. You can continue where you left off.
page-widget-limited = This page was opened too often today. Please try again later.
page-widget-broken = Something went wrong. Please reload this page.

### A hosted link

page-hosted-used-text = Each link works once, in the browser that opened it first. Continue there, or ask { $company } for a new link.
page-hosted-expired-text = Ask { $company } for a new link. Nothing that you linked before is lost.

### The phone

page-phone-title = Continue on your phone
page-phone-opening = The page is loading.
page-phone-script = This page requires JavaScript. Please enable it.
page-phone-scan = Show the code on your computer, and scan it again.
page-phone-done = You can close this page.
page-phone-broken = Something went wrong. Show a new code on your computer, and scan it.
page-phone-unknown-title = This code is not valid

### The login on a provider’s page

page-sign-in-ask-title = Sign in to { $provider }?
page-sign-in-ask-text = { $company } asks you to sign in on the provider’s page. It then receives data from your account.
page-sign-in-ask-warning = Continue only if you started this yourself. If someone sent you this address, close this page: they would get your data.
page-sign-in-ask-button = Continue to { $provider }
page-sign-in-here = Continue in this window
page-sign-in-here-text = Continue to see where your sign-in stands. You can start again there.
page-sign-in-received-title = You can go back now
page-sign-in-received-text = Go back to the other window. It continues there automatically. You can close this page.
page-sign-in-refused-title = You didn’t allow access
page-sign-in-refused-text = Nothing was shared. Go back to the other window to try again or to choose another provider. You can close this page.
page-sign-in-failed-title = The provider could not sign you in
page-sign-in-failed-text = Nothing was shared. Go back to the other window, which says what to do next. You can close this page.
page-sign-in-over-title = This sign-in has already ended
page-sign-in-over-text = It was finished, or started again. Go back to the other window to see where it stands. You can close this page.
page-sign-in-expired-title = This sign-in took too long
page-sign-in-expired-text = Go back to the other window, and start again there.
page-sign-in-browser-title = This sign-in was started in another browser
page-sign-in-browser-text = Go back to the window where you started, and open the provider’s page from there, in the same browser.
page-sign-in-issuer-title = The response did not come from your provider
page-sign-in-issuer-text = To protect you, we did not use it. Go back to the other window, and start again there.
page-sign-in-unknown-title = This address is not valid
page-sign-in-unknown-text = Go back to the other window, and start again there.

### A link site

page-site-unknown-title = This page does not exist
page-site-unknown-text = Check the address, or ask the company that gave it to you.
page-site-draft-title = This page is not open yet
page-site-draft-text = { $company } has not published it. Please try again later.
page-site-closed-title = This page is closed
page-site-closed-text = { $company } no longer takes answers here.
page-site-full-title = This page is complete
page-site-full-text = { $company } has received all the answers it asked for.
page-site-invited-title = This page needs an invitation
page-site-invited-text = Open the link in the email from { $company }.
page-site-redirect = Continue to { $company }

### The form

page-form-title = A few questions first
page-form-wrong = Please correct the fields marked below.
page-form-continue = Continue
page-form-choose = Choose…
page-form-optional = (optional)
page-form-required = This is required.
page-form-long = This must have at most { $count ->
    [one] { $count } character
   *[other] { $count } characters
}.
page-form-email = This must be an email address, like name@example.com.
page-form-phone = This must be a phone number with its country code.
page-form-date = This must be a date, like 1990-05-24.
page-form-choice = This must be one of the choices.
page-form-number = This must be a number, like 1250.50.
page-form-short = This must have at least { $count ->
    [one] { $count } character
   *[other] { $count } characters
}.
page-form-digits = This must have digits only.
page-form-alphanumeric = This must have letters and digits only.
page-form-curp = This must be the 18 letters and digits of a CURP.
page-form-more = Your answers lead to more questions. Please answer them too.
page-form-retry = Please check your answers, and press the button again.
page-form-saved = { $company } receives your answers as you give them. You can come back to this page for 5 hours.
page-form-bait = Leave this field empty

### The files of a form

page-file-rules = { $formats }, up to { $size } MB each.
page-file-limit = Up to { $count } files.
page-file-remove = Remove { $name }
page-file-failed = It couldn’t be sent.
page-file-empty = This file is empty.
page-file-large = This file is larger than { $size } MB.
page-file-format = This file has another format. Add one of these: { $formats }.
page-file-extra = This file has other data besides the document. Print it to a new PDF, or take a new photo, and add that.
page-file-encrypted = This file has a password. Save it without one and add it again.
page-file-damaged = This file is damaged or incomplete. Open it on your device to check it, then add it again.
page-file-pages = This file has more than 30 pages. Add only the pages that matter.
page-file-pixels = This picture is too large. Take it again at a lower resolution.
page-file-many = There is no room for this file. Remove another one first.
page-file-quota = You have uploaded as much as is allowed. Try again tomorrow.
page-file-mismatch = This file has changed or is gone. Remove it and add it again.

### The end

page-done-linked = Your account is linked.
page-done-uploaded = Your documents were uploaded.
page-done-both = Your account is linked, and your documents were uploaded.
page-complete-known-title = You have already done this
page-complete-known-linked = Your account is linked to { $company }. There is nothing left to do.
page-complete-known-uploaded = Your documents were uploaded for { $company }. There is nothing left to do.
page-complete-title = This invitation is complete
page-complete-linked = An account was linked with it. If it was sent to you and you did not do this, tell { $company }.
page-complete-uploaded = Documents were uploaded with it. If it was sent to you and you did not do this, tell { $company }.

### Requests that failed

page-foreign-title = This request came from another site
page-foreign-text = To protect you, we did not process it. Open the link in your invitation and press the button there.
page-busy-title = Too many requests
page-busy-text = Try again in a few seconds.
page-failed-title = Something went wrong
page-failed-text = This is not your fault, and nothing is lost. Try again in a minute.
page-suspended-title = This page is not available now
page-suspended-text = Please come back later. Nothing you entered is lost.
page-retry = Try again

### Stopping all mail. These pages have no tenant

stop-title = Stop all email to this address?
stop-text = You will not receive any more email from this service, no matter who asks us to send it. Invitations that you already have keep working. Codes that you request yourself do not arrive either.
stop-button = Stop all email to my address
stop-abuse = To report abuse, write to { $address }.
stop-done-title = Email to your address is stopped
stop-done-text = We will not send any more email to it. You can close this page.
stop-unknown-title = This link is incomplete
stop-unknown-text = Copy the complete link from the email into your browser, or write to the address given in the email.

### The pages that ask a visitor of a link site to prove an email address, and the mail with the code

page-proof-title = Confirm your email address
page-proof-text = { $company } asks for your email address before you go on. We send a code to it.
page-proof-address = Email address
page-proof-send = Send me a code
page-proof-code-title = Enter the code
page-proof-code-text = We sent an email with a code to { $address }. The code works for 10 minutes. If you do not see the email, look in the spam folder.
page-proof-code = Code of 6 digits
page-proof-again = Send another code
page-proof-correct = Use another address
page-proof-digits = Enter the 6 digits of the code.
page-proof-wrong = This is not the code in our last email. Check it and try again.
page-proof-over = This code does not work any more. Request another one.
page-proof-soon = We sent a code less than a minute ago. Please wait a minute before you request another one.
page-proof-most = We have sent 4 codes, and cannot send more during this visit. Enter the code in our last email, or begin again in 10 minutes.
page-proof-ended = This code does not work any more, and we have sent 4 codes. Please begin again.
page-proof-busy = Too many codes were requested from your network. Please try again in a few minutes.
page-proof-unavailable = We cannot send codes at the moment. Please try again tomorrow.
page-proof-refused = We cannot send email to this address now. Check it, or use another address.
proof-mail-subject = Your code for { $company }
proof-mail-body = Enter this code on the page of { $company } to confirm your email address.
proof-mail-note = The code works for 10 minutes, and only on the page on which it was requested. Do not pass it on.
proof-mail-reason = Your address was entered on a page of { $company }. If you did not do that, ignore this email.

### A person's own page, and the mail with its link. They have no tenant

me-title = Your data
me-ask-text = See what you gave to companies with Linchpin, download a copy, stop sharing it or have it erased. We send a link to your email address.
me-ask-label = The address that your invitation was sent to
me-ask-button = Send me a link
me-ask-again = Request a link
me-asked-title = Check your email
me-asked-text = If we hold data that was given through a link sent to this address, an email with a link is on its way. The link works once, for 30 minutes. An address at which our email was stopped gets none.
me-open-title = Open your page
me-open-text = The button shows your data on this device for 30 minutes. The link works once.
me-open-button = Show my data
me-open-over = It was already used, or it has expired. Request a new one.
me-over-title = Your page is closed
me-over-text = Request a new link to see your data again.
me-list-text = You gave this through a link in an email to your address. For data that you gave in another way, ask the company.
me-list-empty = We hold no data that you gave through a link in an email to your address.
me-sandbox = Sandbox: this is test data.
me-given = Given on
me-until = Kept until
me-until-synced = Kept until, unless it is updated before
me-unfinished = Not connected; deleted on
me-shared = You share
me-form = Answers to a form
me-consent = The text that you agreed to
me-copy-json = Download as JSON
me-copy-pdf = Download as PDF
me-stop = Stop sharing
me-erase = Erase
me-erase-all = Erase everything
me-leave = Leave
me-back = Back to your data
me-stop-title = Stop sharing with { $company }?
me-erase-title = Erase what you gave to { $company }?
me-end-text = { $company } gets no new data, and we erase what we hold. This cannot be undone.
me-end-copies = { $company } may have copied data before. Ask { $company } to delete its copies.
me-done-title = Your data is erased
me-done-text = { $company } can no longer read it here.
me-page-link = See or erase the data that you gave
me-mail-subject = The link to your data
me-mail-body = Open your page to see what you gave to companies, download it, or have it erased. The link works once, for 30 minutes.
me-mail-reason = Your address was entered on our page. If you did not do that, ignore this email: only this link shows the data.
portal-mail-subject = Sign in to the developer portal
portal-mail-body = The link signs you in to the developer portal once, within 10 minutes of your request.
portal-mail-several = Choose an organization of the developer portal. You can use one of these links, once, within 10 minutes of your request.
portal-mail-button = Sign in to { $company }
portal-mail-reason = Your address was entered on the sign-in page of the developer portal. If you did not do that, ignore this email, and do not pass the link on.
me-data-identities = Name and contact details
me-data-documents = Documents and their files
me-data-employments = Jobs
me-data-incomes = Pay
me-data-transactions = Payments and transactions
me-data-contributions = Contributions to funds
me-data-liabilities = Loans
me-data-eincomes = Estimates of your monthly income
me-data-ratings = Ratings on platforms
me-data-links = When you connected this provider
me-data-insights = Figures computed from your data
me-archive-payslip = Payslip
me-archive-tax = Tax document
me-archive-company = Company ID
me-archive-identity = Proof of identity
me-archive-clearance = Clearance
me-archive-certificate = Certificate
me-archive-bank = Bank statement

### The mail of an invitation, around the tenant's text

mail-link = This link is only for you and works once.
mail-copy = If the button does not work, copy this address into your browser:
mail-reason = { $company } asked us to send you this email.
mail-stop = Stop all our email to this address
mail-abuse = Report abuse:

### The texts of a new tenant's invite template

default-subject = { $company } asks you to link an account
default-greeting = Hello { $name },
default-body = { $company } asks you to link the account that you have with your social security office, your employer or the app you work for. It takes a few minutes, and { $company } never sees your password.
default-landing-header = Hello { $name }
default-landing-intro = { $company } asks you to link an account.
default-landing-text = You choose the provider, see which information is read, and sign in there. You can withdraw your consent at any time.
default-landing-button = Link an account
default-success-header = Thank you, { $name }
default-success-text = We have notified { $company }. You can close this page.
