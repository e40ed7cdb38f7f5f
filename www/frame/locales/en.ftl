# English texts of the widget. Keys are grouped by screen; `cargo xtask codegen` sorts and numbers them.
# Style: calm and exact. Say what happened, then what to do next. No blame, no exclamation marks.

### The frame around every screen

dialog-title = Connect an account
header-back = Back
header-close = Close
header-sandbox = Sandbox
footer-password = { $company } never sees your password.
footer-consent = { $company } sees only what you agree to share.
help-link = Get help (opens in a new tab)

### Buttons used on several screens

action-retry = Try again
action-close = Close
action-done = Done
action-choose-another = Choose another provider
action-another-login = Use other sign-in details
action-upload = Upload a document instead
action-more = More

### Starting

starting-title = Getting ready
starting-text = Opening a secure session. This takes a moment.
refused-title = This link can’t be opened
refused-text = It’s no longer valid. Close this window and start again from the page you came from.

### A request that failed

slow-title = This is taking longer than usual
slow-text = We’re still waiting for an answer. You can keep waiting, try again, or close this window.
offline-title = You seem to be offline
offline-text = We can’t reach the service. Check your internet connection, then try again.
unavailable-title = The service isn’t answering
unavailable-text = The problem is on our side and nothing you entered was lost. Wait a moment, then try again.
trapped-title = Something went wrong on our side
trapped-text = Try again to continue where you were.
busy-title = Too many tries at once

### Consent

consent-title = Share your data with { $company }
consent-intro = { $company } uses Linchpin to read data from an account you choose. You decide whether to share it.
consent-data-title = What is shared
consent-data-text = Identity, employment and income details, and documents that the provider holds about you.
consent-data-choice = Data that the provider holds about you. On the next page you choose which.
consent-time-title = How often and for how long
consent-time-once = Your data is read once. It is deleted 60 days after you last connect.
consent-time-daily = Your data is read now and, if the provider allows it, again every day. It is deleted 60 days after you last connect.
consent-time-weekly = Your data is read now and, if the provider allows it, again every week. It is deleted 60 days after you last connect.
consent-time-monthly = Your data is read now and, if the provider allows it, again every month. It is deleted 60 days after you last connect.
consent-sync-once = Your data is read once. It is deleted 60 days after it was last read.
consent-sync-daily = Your data is read now and, if the provider allows it, again every day. It is deleted 60 days after it was last read.
consent-sync-weekly = Your data is read now and, if the provider allows it, again every week. It is deleted 60 days after it was last read.
consent-sync-monthly = Your data is read now and, if the provider allows it, again every month. It is deleted 60 days after it was last read.
consent-private-title = What stays private
consent-private-text = Your password. It goes to the provider you choose; { $company } never sees it.
consent-stop-title = How to stop
consent-stop-text = Ask { $company } to end access at any time. Your data is then deleted.
consent-version = Version { $version }
consent-agree = Agree and continue
consent-choose = Choose what to share
consent-changed = The terms have changed since you saw them. Please read them again.
consent-decline = Not now

### Choosing what to share

data-choice-title = Choose what to share with { $company }
data-choice-intro = You can decline everything that isn’t always shared and still connect your account. { $company } doesn’t receive what you decline.
data-choice-required = Always shared
data-choice-optional = Your choice
data-choice-none = You share only what is always shared.
data-choice-some = You also share what you selected: { $chosen } of { $total }.
data-choice-uploads = If you upload a document, the file itself is shared as a whole.
data-identities = Name and contact details
data-documents = Documents and their files
data-employments = Jobs
data-incomes = Pay
data-transactions = Payments and transactions
data-contributions = Contributions to funds
data-liabilities = Loans
data-eincomes = Estimates of your monthly income
data-ratings = Ratings on platforms
data-links = When you connected this provider
data-insights = Figures computed from your data

### Providers

providers-title = Choose your provider
providers-intro = Where do you have the account you want to connect?
providers-search = Search providers
providers-search-placeholder = Search by name
providers-search-clear = Clear search
providers-tabs = Kind of provider
providers-tab-all = All
providers-tab-government = Government
providers-tab-employer = Employers
providers-tab-gig = Gig platforms
providers-tab-payroll = Payroll
providers-kind-government = Government service
providers-kind-employer = Employer
providers-kind-gig = Gig platform
providers-kind-payroll = Payroll provider
providers-list-top = Most used
providers-list-all = All providers
providers-list-found = Matching providers
providers-loading = Loading providers
providers-found = { $count ->
    [0] No providers found
    [one] { $count } provider found
   *[other] { $count } providers found
}
providers-empty-title = No provider matches
providers-empty-text = Check the spelling, or try a shorter name or another kind of provider.
providers-show-all = Show all providers
providers-none-title = No providers yet
providers-none-text = { $company } hasn’t set up any providers to connect. Close this window and let them know.
providers-more = Show more
providers-missing = I can’t find mine
provider-away = Not available right now
provider-loading = Opening { $provider }
provider-missing-title = This provider can’t be connected here
provider-missing-text = It’s no longer offered. Choose another provider, or close this window.

### Ways to sign in

login-options-title = How do you sign in to { $provider }?
login-options-list = Ways to sign in

### Login

login-title = Sign in to { $provider }
login-intro = Use the same details as on { $provider }’s own site.
login-none-title = Connect { $provider }
login-none-text = { $provider } needs no sign-in. Continue to share your data.
login-submit = Connect
login-submitting = Connecting
password-show = Show password
password-hide = Hide password
password-caps-lock = Caps Lock is on
field-optional = optional
field-choose = Choose one
field-empty = Enter this to continue.
field-empty-choice = Choose one to continue.
field-too-short = { $min ->
    [one] Enter at least { $min } character.
   *[other] Enter at least { $min } characters.
}
field-too-long = { $max ->
    [one] Enter no more than { $max } character.
   *[other] Enter no more than { $max } characters.
}
field-digits = Use digits only.
field-alphanumeric = Use letters and digits only.
field-email = Enter an e-mail address like name@example.com.
field-phone = Enter a phone number with its country code, like +52 55 1234 5678.
field-curp = Enter the 18 letters and digits of your CURP as shown on the certificate.
field-date = Enter a date that exists, as year, month and day.
field-choice = Choose one of the listed values.
field-refused = { $provider } doesn’t accept this. Check it and try again.
field-space = There is a space at the start or end. Remove it if it doesn’t belong there.
form-errors = { $count ->
    [one] One field needs your attention.
   *[other] { $count } fields need your attention.
}
login-again = Enter your password again. For your safety we didn’t keep it.
login-restarted-title = This page had to start again
login-restarted-text = Something went wrong on our side. What you typed is still here, except your password. Check it and press Connect again.
login-not-sent-title = Your details didn’t reach us
login-not-sent-text = The connection was interrupted. Check your internet connection, then press Connect again.
login-renewed-title = Your session was renewed
login-renewed-text = What you entered wasn’t sent. Press Connect to send it now.
login-other-title = This is a different account
login-other-text = Sign in to { $provider } with the account you connected before. Nothing was sent to { $provider }.
login-limit-title = Too many tries to sign in
login-wait = { $seconds ->
    [one] You can try again in { $seconds } second.
   *[other] You can try again in { $seconds } seconds.
}
login-wait-minutes = { $minutes ->
    [one] You can try again in { $minutes } minute.
   *[other] You can try again in { $minutes } minutes.
}
login-wait-hours = { $hours ->
    [one] You can try again in { $hours } hour.
   *[other] You can try again in { $hours } hours.
}

### Connecting

connecting-title = Connecting to { $provider }
connecting-text = This usually takes less than a minute. Please keep this window open.
connecting-slow = { $provider } is taking longer than usual. We’re still waiting for its answer.
connecting-stage-sent = Details sent securely
connecting-stage-login = Signing in to { $provider }
connecting-stage-answer = Checking your answer
connecting-stage-finish = Confirming the connection
connecting-lost-title = Connection interrupted
connecting-lost-text = We can’t reach the service and keep trying. You don’t need to do anything.

### Confirming that it is you

challenge-code-title = Enter your code
challenge-code-sms = { $provider } sent a code by text message. It should arrive within a minute.
challenge-code-sms-to = { $provider } sent a code by text message to { $destination }.
challenge-code-email = { $provider } sent a code to your e-mail. Look in the spam folder too.
challenge-code-email-to = { $provider } sent a code to { $destination }. Look in the spam folder too.
challenge-code-voice = { $provider } is calling you with a code.
challenge-code-voice-to = { $provider } is calling { $destination } with a code.
challenge-code-app = Open your authenticator app and enter the code it shows for { $provider }.
challenge-code-label = Code
challenge-code-help = It has { $length } characters and is sent as soon as you’ve entered them all.
challenge-choice-title = Confirm it’s you
challenge-choice-text = { $provider } asks you to choose one answer.
challenge-choice-missing = Choose one answer to continue.
challenge-image-title = Type what you see
challenge-image-text = { $provider } shows an image to check that you’re a person.
challenge-image-alt = Letters or digits drawn by { $provider }
challenge-image-label = Characters in the image
challenge-listen = Listen instead
challenge-listen-stop = Stop the recording
challenge-listen-again = Play again
challenge-listening = The recording is playing.
challenge-listen-ended = The recording has ended. Type what you heard.
challenge-listen-failed = The recording didn’t play. Try again, or type the characters in the image.
challenge-question-title = Answer your security question
challenge-question-text = { $provider } asks a question that you set up there.
challenge-approve-title = Approve on your phone
challenge-approve-text = { $provider } sent a request to its app. Open the app and approve it.
challenge-approve-on = { $provider } sent a request to { $device }. Open it there and approve it.
challenge-email-link-title = Open the link in your e-mail
challenge-email-link-text = { $provider } sent you an e-mail with a link. Look in the spam folder too.
challenge-email-link-to = { $provider } sent a link to { $destination }. Look in the spam folder too.
challenge-redirect-title = Sign in on the provider’s page
challenge-redirect-text = { $provider } opens in another tab. Sign in there, then come back here.
challenge-redirect-here = { $provider } opens on this page. Sign in there, and you come back here.
challenge-redirect-open = Continue to { $provider }
challenge-redirect-left = Finish signing in to { $provider } in the other tab. If you closed it, start again.
challenge-redirect-again = Start again
challenge-redirect-nothing = Nothing has arrived from { $provider } yet. Finish in the other tab, or start again.
challenge-waiting = This page continues automatically once you’ve done this.
challenge-time-left = Time left: { $time }
challenge-time-low = Time left: { $time }. You can ask for more time.
challenge-time-both = Time left: { $time }. You can send it again in { $seconds } s.
challenge-extend = I need more time
challenge-extended = You have more time now.
challenge-resend = Send again
challenge-resend-wait = You can send it again in { $seconds } s.
challenge-resent = A new one is on its way.
challenge-by-sms = Get a code by text message
challenge-by-email = Get a code by e-mail
challenge-by-voice = Get a code by phone call
challenge-by-app = Use an authenticator app
challenge-picture = Show another picture
challenge-picture-new = This is another picture.
challenge-wrong = That wasn’t right. Check your answer and enter it again.
challenge-wrong-choice = That wasn’t right. Choose another answer.
challenge-wrong-left = { $left ->
    [one] That wasn’t right. This is your last try.
   *[other] That wasn’t right. You have { $left } tries left.
}
challenge-not-sent-title = Your answer didn’t reach us
challenge-not-sent-text = The connection was interrupted. Check your internet connection, then press Continue again.
challenge-submit = Continue
challenge-checking = Checking
challenge-unsupported-title = We can’t show this check
challenge-unsupported-text = { $provider } asks you to confirm it’s you in a way this window doesn’t support yet. Nothing was shared.
challenge-unsupported-next = Change the way of confirming in { $provider }’s settings, or connect another provider.

### Success

success-title = You’re connected
success-text = { $provider } is now connected to { $company }.
success-next = Your data is being fetched in the background. You can close this window.
success-another = Connect another account

### Why it failed: the error codes of the interface, and one for any other

error-account-disabled-title = This account is disabled
error-account-disabled-cause = { $provider } has switched off this account, so it can’t be connected.
error-account-disabled-next = Ask { $provider } to enable it, then connect again.
error-account-inaccessible-title = This account can’t be opened
error-account-inaccessible-cause = Your sign-in worked, but { $provider } doesn’t let us into the account at the moment.
error-account-inaccessible-next = Sign in on { $provider }’s own site to see if something needs your attention, then try again.
error-account-incomplete-title = Your account isn’t set up yet
error-account-incomplete-cause = { $provider } says that some steps of your registration are still open.
error-account-incomplete-next = Finish your profile on { $provider }’s own site, then connect again.
error-account-locked-title = This account is locked
error-account-locked-cause = { $provider } locked it, usually after several wrong passwords.
error-account-locked-next = Unlock it on { $provider }’s own site first. More tries here could keep it locked longer.
error-auth-required-title = Your sign-in details didn’t arrive
error-auth-required-cause = { $provider } received no user name and password from us.
error-auth-required-next = Enter your details again.
error-expired-credentials-title = Your password has expired
error-expired-credentials-cause = { $provider } wants you to set a new password before you sign in.
error-expired-credentials-next = Change it on { $provider }’s own site, then connect with the new one.
error-invalid-account-type-title = This kind of account can’t be connected
error-invalid-account-type-cause = { $provider } recognizes you, but this kind of account doesn’t have the requested data.
error-invalid-account-type-next = If you have another account at { $provider }, use that one.
error-invalid-auth-title = Sign-in didn’t go through
error-invalid-auth-cause = Something broke while { $provider } was checking who you are. Your password may well be right.
error-invalid-auth-next = Try again. If it happens again, contact { $company }’s support.
error-invalid-credentials-title = Those details didn’t match
error-invalid-credentials-cause = { $provider } doesn’t accept this combination of user name and password.
error-invalid-credentials-next = Check for typos and capital letters, then try again.
error-invalid-mfa-title = The code was wrong too often
error-invalid-mfa-cause = { $provider } didn’t accept the answers you gave to confirm it’s you.
error-invalid-mfa-next = Sign in again to get a new code. Use only the newest one.
error-declined-title = The request was declined
error-declined-cause = Someone declined the request that { $provider } sent to confirm it’s you. Nothing was shared.
error-declined-next = If it was you, by mistake, sign in again and approve the new request.
error-mfa-timeout-title = Time ran out
error-mfa-timeout-cause = { $provider } waited for you to confirm it’s you and then gave up.
error-mfa-timeout-next = Sign in again and keep your phone or e-mail at hand.
error-service-unavailable-title = The provider isn’t answering
error-service-unavailable-cause = { $provider } is down or under maintenance at the moment. Your details are fine.
error-service-unavailable-next = Try again in a few minutes, or come back later.
error-system-error-title = Something went wrong on our side
error-system-error-cause = The connection to { $provider } failed through no fault of yours. Nothing was shared.
error-system-error-next = Try again. If it happens again, contact { $company }’s support.
error-tos-required-title = New terms to accept first
error-tos-required-cause = You need to accept { $provider }’s terms of service before anyone can sign in for you.
error-tos-required-next = Sign in on { $provider }’s own site, accept the terms, then connect again.
error-unsupported-auth-type-title = This way of signing in isn’t supported
error-unsupported-auth-type-cause = Your account at { $provider } uses a sign-in that we can’t carry out, such as a login through another company.
error-unsupported-auth-type-next = Use another way to sign in if you have one, or choose another provider.
error-unsupported-mfa-method-title = This confirmation method isn’t supported
error-unsupported-mfa-method-cause = { $provider } confirms it’s you in a way we can’t carry out, such as a security key.
error-unsupported-mfa-method-next = Switch to codes by text message or e-mail in { $provider }’s settings, then connect again.
error-unknown-title = We couldn’t connect your account
error-unknown-cause = { $provider } reported a problem that we don’t know yet. Nothing was shared.
error-unknown-next = Try again later. If it happens again, contact { $company }’s support.
error-try-again = Enter your details again

### The session ended

expired-title = Your session has ended
expired-text = For your safety a session lasts a limited time. We’re asking { $company } to continue; what you typed is kept.
expired-renewing-title = Continuing where you left off
expired-renewing-text = Opening a new secure session. What you typed is kept.
expired-start-title = This link has expired
expired-start-text = Links work once and for a short time. If the page you came from doesn’t continue automatically, close this window and start again.
expired-mismatch-title = We had to stop here
expired-mismatch-text = The new session belongs to another person or page. To protect your data we cleared everything. Close this window and start again.

### Leave?

leave-title = Leave before you’re done?
leave-typed = What you typed will be cleared.
leave-connecting = Your account isn’t connected yet. If you leave now you may have to start over.
leave-stay = Keep going
leave-leave = Leave

### Already linked

accounts-title = Your connected accounts
accounts-loading = Loading your accounts
accounts-uploads = Your documents
accounts-none = Nothing is connected at the moment.
accounts-back = Back to your accounts
account-title = Your account at { $provider }
account-action = Sign in again to keep it up to date
account-action-text = { $provider } asks for your sign-in again before new data can be read.
account-nothing = There is nothing to do. { $company } keeps the access you agreed to until it ends or you disconnect.
account-sign-in = Sign in again
account-reading = Being read
account-unread = Couldn’t be read
account-synced = { $days ->
    [0] Updated today
    [one] Updated yesterday
   *[other] Updated { $days } days ago
}
account-added = { $days ->
    [0] Added today
    [one] Added yesterday
   *[other] Added { $days } days ago
}
account-missing-title = This account isn’t here
account-missing-text = It was disconnected, or it belongs to someone else. You can connect an account now.
revoke-title = Disconnect { $provider }?
revoke-text = { $company } loses access to your account at { $provider }, and the data read from it is deleted. You can connect again later.
revoke-upload-title = Remove this document?
revoke-upload-text = { $company } loses access to it, and its files and the data read from them are deleted.
revoke-disconnect = Disconnect
revoke-remove = Remove
revoke-keep = Keep
revoke-busy = Removing access
revoke-done = Access was removed and the data is being deleted.

### Can’t find it

survey-title = Tell us who we’re missing
survey-text = We note which employers and providers people look for and add them over time.
survey-label = Employer or provider
survey-submit = Send
survey-thanks-title = Thank you, noted
survey-thanks-text = It isn’t available to connect yet. You can choose another provider.
survey-thanks-upload = It isn’t available to connect yet. You can upload a document instead.

### Documents

uploads-title = Upload a document
uploads-text = What would you like to give { $company }?
uploads-list = Kinds of documents
archive-payslip = Payslip
archive-payslip-hint = The newest one, with all its pages.
archive-tax = Tax document
archive-tax-hint = Your last return or yearly statement.
archive-company = Company ID
archive-company-hint = Your staff card, both sides.
archive-identity = Proof of identity
archive-identity-hint = Passport, national ID card or driving licence.
archive-clearance = Clearance
archive-clearance-hint = From the police, a court or an employer.
archive-certificate = Certificate
archive-certificate-hint = Of your employment or contributions.
archive-bank = Bank statement
archive-bank-hint = The last full month, with all its pages.
upload-rules = PDF, JPEG, HEIC, PNG or TIFF, up to 15 MB each.
upload-rules-pages = Up to { $limit } files: PDF, JPEG, HEIC, PNG or TIFF, up to 15 MB each.
upload-front = Front
upload-back = Back
upload-back-text = Not needed for a passport.
upload-pages = Add files
upload-pages-text = Choose, drop or paste here.
upload-again = Choose the unfinished file again to continue. Only the missing part is sent.
upload-choose = Choose a file
upload-camera = Take a photo
upload-files = Your files
upload-looking = Checking
upload-missing = { $percent } % sent before
upload-waiting = Waiting
upload-offline = No connection. Your files will continue automatically.
upload-online = The connection is back.
upload-sending = { $percent } % of { $size } MB
upload-retrying = Connection lost. Trying again.
upload-paused = Paused at { $percent } %
upload-stuck = It couldn’t be sent.
upload-sent = Uploaded, { $size } MB
upload-refused = Not added, { $size } MB
upload-removing = Removing
upload-announce = { $name }: { $percent } % uploaded
upload-pause = Pause { $name }
upload-continue = Continue { $name }
upload-remove = Remove { $name }
upload-surplus = { $added } of { $offered } files added. The limit is { $limit }.
upload-clear = Remove the files that weren’t added
upload-summary = { $files ->
    [one] { $files } file, { $size } MB, ready to submit
   *[other] { $files } files, { $size } MB, ready to submit
}
upload-submit = Submit
upload-loss = Your upload isn’t submitted yet. If you leave now you’ll have to choose the files again.
file-duplicate = You have added this file already.
file-empty = This file is empty.
file-too-large = This file is larger than 15 MB. Make it smaller, or take a photo of each page.
file-unsupported = This file can’t be read. Save or print it as a PDF, or take a screenshot of it, and add that. PDF, JPEG, HEIC, PNG and TIFF files work.
file-extra = This file has other data besides the document. Print it to a new PDF, or take a new photo, and add that.
file-encrypted = This file has a password. Save it without one and add it again.
file-damaged = This file is damaged or incomplete. Open it on your device to check it, then add it again.
file-too-many-pages = This file has more than 30 pages. Add only the pages that matter.
file-too-many-pixels = This picture is too large. Take it again at a lower resolution.
file-too-many = There is no room for this file. Remove another one first.
file-quota = You have uploaded as much as is allowed. Try again tomorrow.
file-mismatch = This file has changed or is gone. Remove it and add it again.
upload-remove-title = Remove this upload?
upload-remove-text = The files you added are deleted. Nothing was submitted.
upload-remove-yes = Remove
upload-remove-no = Keep
photo-title = Check the photo
photo-text = Can you read every word? Is the whole page in the picture?
photo-blurred = This photo looks blurred. If you can’t read the small print, take it again with a steady hand.
photo-dark = This photo is dark. Take it again with more light, without a shadow on the page.
photo-alt = Photo { $name }
photo-turn = Rotate
photo-frame = Crop
photo-use = Use this photo
photo-retake = Remove and take again
photo-discard = Remove
photo-frame-title = Crop the photo
photo-frame-text = Drag the edges to the edges of the page.
photo-left = Left edge
photo-top = Top edge
photo-right = Right edge
photo-bottom = Bottom edge
photo-crop = Crop
photo-unframe = Cancel
photo-waiting = Waits until you have checked it
photo-help = Lay the page flat in good light, and fit all of it in the picture.
reading-title = Reading your document
reading-text = This usually takes less than a minute. You can close this window; reading will continue.
reading-received = Files received
reading-queued = Waiting for a free reader
reading-pages = Reading the pages
reading-checked = Checking what was found
archive-read-title = Your document was read
archive-read-text = { $company } can now use its data.
archive-another = Upload another document
archive-unrecognized-title = We couldn’t read this document
archive-unrecognized-next = Take the photo again: flat, in good light, without glare, all four corners in the picture. A PDF from the issuer works best.
archive-unknown-title = We don’t know this kind of document
archive-unknown-next = Its text could be read, but it doesn’t look like a document that is asked for. Make sure that all of it is in the file, or upload another one.
archive-people-title = These documents are of several people
archive-people-next = Upload the documents of one person only: yours.
archive-form-title = This form can’t be read
archive-form-next = What was filled in is not on its pages. Open it, choose Print, save it as a PDF, then upload the new file.
archive-portfolio-title = This PDF holds other files
archive-portfolio-next = Open it, save the document you need as its own file, then upload that.
archive-chosen = The kind you chose
archive-wrong-title = This looks like another kind of document
archive-wrong-next = Choose the kind it belongs to, or upload the one asked for.
archive-unreadable-title = A file can’t be opened
archive-unreadable-next = It is damaged or has a password. Save it again without a password, then upload it.
archive-away-title = Reading isn’t possible at the moment
archive-away-next = Nothing is wrong with your files. Try again in a few minutes.
archive-fault-title = Something went wrong on our side
archive-fault-next = Nothing is wrong with your files. Upload them again.
archive-again = Upload again
archive-other = Choose another kind

### On the phone

handoff-offer = Continue on your phone
handoff-title = Continue on your phone
handoff-scan = Point your phone’s camera at this code, and open the page that it offers.
handoff-once = The code works once, within 10 minutes. Don’t show it to anyone: it lets them continue in your place.
handoff-alt = QR code that opens this step on your phone
handoff-here = Continue here instead
handoff-again = Show a new code
handoff-continued-title = You’re continuing on your phone
handoff-continued-text = Keep this page open. It continues automatically once you’ve finished on your phone.
handoff-continued-warning = Wasn’t that you? Choose “Continue here instead”, and the other device can do nothing more.
handoff-expired-title = The code has expired
handoff-expired-text = Nothing was lost. Show a new code, or continue here.
handoff-left-title = You left the page on your phone
handoff-left-text = What you had already sent is kept. Show a new code, or continue here.
handoff-arrival-title = Continue on this phone
handoff-arrival-text = You continue here what you started on your computer with { $company }.
handoff-arrival-warning = Continue only if you scanned the code from your own screen. If someone sent it to you, close this page: they would get what you enter.
handoff-continue = Continue
handoff-done-title = Done here
handoff-done-text = Go back to your computer. It continues there.
handoff-back-title = Continue on your computer
handoff-back-text = Your computer shows what to do next. You can close this page.
handoff-dead-title = This code doesn’t work any more
handoff-dead-text = A code works once, within 10 minutes. Show a new one on your computer and scan it.
