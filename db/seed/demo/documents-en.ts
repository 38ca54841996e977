import type { documentsRu } from './documents-ru'

export const documentsEn: typeof documentsRu = {
  'user-agreement': {
    name: 'User agreement',
    linkName: 'User agreement',
    content: `## 1. What this agreement covers

Polaris JSC (the Company) gives its employees and contractors a single sign-on to its services. This agreement says how an account may be used and what each side answers for.

## 2. Your account

1. You get an account by invitation, by an administrator’s decision, or by registering yourself where registration is open.
2. Give true details and keep them up to date.
3. An account belongs to one person. Tell nobody your password or confirmation codes, not even the Company’s staff: they will never ask for them.

## 3. What we ask of you

- Choose a password that you use nowhere else.
- Sign out when you leave a device that isn’t yours.
- Tell support if you notice a sign-in that wasn’t you.

## 4. What is not allowed

- Reaching for data that you have no right to see.
- Testing the security of the services without the Company’s written permission.
- Disturbing the services or other people’s work.

## 5. Limits on access

The Company may suspend access when section 4 is broken, when somebody else uses the account, or when the contract with a contractor ends. Support tells you the reason.

## 6. Changes

We announce material changes at sign-in and ask you to accept the new version. Earlier versions stay available to read.

Questions about this agreement: [legal@polaris.example](mailto:legal@polaris.example).
`,
  },
  'personal-data': {
    name: 'Consent to the processing of personal data',
    linkName: 'Consent to personal data processing',
    content: `I consent to the processing of my personal data by Polaris JSC (the Operator) on the terms below.

## Which data

First, middle and last name, date of birth, gender, e-mail address, mobile number, position and place of work, profile picture, and records of sign-ins: time, network address, type of device and browser.

## What for

- to recognise me at sign-in and to protect my account;
- to open the services of the Operator and its contractors to me according to my role;
- to tell me about decisions on my requests, invitations and security events.

## What is done with them

They are collected, recorded, stored, corrected, used, passed to the services that I use, blocked and destroyed, by automated means.

## For how long

This consent holds while the account exists, and for one more year after its deletion for details that the law requires to be kept.

## How to withdraw it

At any time: delete the account in your profile, or write to [privacy@polaris.example](mailto:privacy@polaris.example). The data will be destroyed within thirty days unless the law says otherwise.
`,
  },
  cookies: {
    name: 'Use of cookies',
    linkName: 'Cookies',
    content: `Cookies are small records that a site keeps in your browser.

| What for | How long | Can you refuse |
|---|---|---|
| Signing in and protecting the session | until the session ends, or 7 days | no, signing in needs them |
| Chosen language and menu | 400 days | yes, you will choose again |
| Recognizing the device | 400 days | yes, every sign-in will bring you an e-mail |
| Visit statistics | 1 year | yes, they start only with your consent |

We use no cookies for advertising and pass their content to nobody. You can delete them in the settings of your browser.
`,
  },
  help: {
    name: 'Signing in and getting access',
    linkName: 'Help',
    content: `## I can’t sign in

1. Check that you enter the login, e-mail or phone number from your profile.
2. Forgot your password? Press “Forgot password?” and we will mail you a link. It works for one hour.
3. You can sign in without a password, by a code from a mail or a text message, if that way is open to you.

After several wrong passwords in a row, signing in by password rests for a while. A code works in the meantime.

## The code doesn’t arrive

A mail with a code may take up to 10 minutes. Look into your spam folder and ask for another code. Once the daily limit is used up, sending resumes after 24 hours.

## I have no access to a service

1. Open your profile and go to “Requests”.
2. Name the company, its INN and the roles that you need.
3. Wait for the decision: it comes by mail and as a notification.

## Somebody signed in as me

End the unknown sessions under “Devices and sessions”, then change your password. If you can’t sign in, write to [support@polaris.example](mailto:support@polaris.example).
`,
  },
}
