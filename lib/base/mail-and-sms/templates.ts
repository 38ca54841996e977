/**
 * The values of each mail. `name` is the name of the receiver, empty if unknown; `link` a whole address; `alive` the
 * seconds for which the link works; `date` the time of the event; `ip` and `device` its origin, perhaps empty.
 */
export type MailValues = {
  /** `link` is the page on which the person reports that it wasn't them. */
  newDevice: { name: string; device: string; ip: string; date: Date; link: string }
  signInCode: { name: string; code: string; minutes: number }
  registrationLink: { name: string; link: string; alive: number }
  /** Somebody tried to register an e-mail that has an account; `link` is a recovery link. */
  registrationKnown: { name: string; login: string; link: string; alive: number }
  /** The same for an account in a directory; `link` is the sign-in page. */
  registrationDirectory: { name: string; provider: string; link: string }
  registrationDone: { name: string; login: string; link: string }
  recoveryLink: { name: string; login: string; link: string; alive: number; ip: string }
  /** An administrator created the account; `link` sets its first password. */
  firstEntry: { name: string; login: string; link: string; alive: number }
  /** An administrator removed the password; `link` sets another one. */
  passwordReset: { name: string; login: string; link: string; alive: number }
  /** `link` is the page on which the directory changes passwords. */
  recoveryDirectory: { name: string; provider: string; link: string }
  /** `link` is the recovery page. */
  passwordChanged: { name: string; date: Date; ip: string; device: string; link: string }
  passwordEnded: { name: string; date: Date; ip: string; device: string; link: string }
  /** An authenticator app was set up or removed; `link` is the report of the session, or the profile. */
  factorAdded: { name: string; date: Date; ip: string; device: string; link: string }
  factorRemoved: { name: string; date: Date; ip: string; device: string; link: string }
  /** An administrator removed the authenticator app and passkeys; `link` is the profile. */
  factorReset: { name: string; date: Date; link: string }
  /** A passkey was added or removed; `link` is the report of the session, or the profile. */
  passkeyAdded: { name: string; date: Date; ip: string; device: string; link: string }
  passkeyRemoved: { name: string; date: Date; ip: string; device: string; link: string }
  /** `link` is the report of the session. */
  recoveryCodesRenewed: { name: string; date: Date; ip: string; device: string; link: string }
  /** `link` is the profile. */
  recoveryCodeUsed: { name: string; date: Date; ip: string; device: string; link: string }
  /** `inviterEmail` replaces a name that doesn't look like one. */
  invitation: {
    name: string
    inviter: string
    inviterEmail?: string
    company: string
    roles: string[]
    link: string
    alive: number
  }
  /** To the inviter. */
  invitationAccepted: { name: string; person: string; email: string; company: string }
  invitationDeclined: { name: string; email: string; company: string }
  invitationRevoked: { name: string; company: string }
  /** To the people who decide on it. */
  accessRequested: { name: string; person: string; email: string; companies: string[]; link: string }
  /** `opened`: whether the person can now open services that they couldn't open before. */
  accessApproved: { name: string; company: string; roles: string[]; opened: 'yes' | 'no'; link: string }
  accessRefused: { name: string; company: string; reason: string; link: string }
  accessDuplicate: { name: string; company: string; link: string }
  contactCode: { name: string; code: string; minutes: number }
  /** To the previous address; `value` is the new one, masked. */
  contactChanged: { name: string; kind: 'email' | 'mobile'; value: string; date: Date; ip: string; link: string }
  /** The person can now sign in with this account of an identity provider; `link` is the profile, which unlinks it. */
  providerLinked: { name: string; provider: string; login: string; date: Date; ip: string; link: string }
  /** Allows an account without a password to set one. */
  passwordCode: { name: string; code: string; minutes: number }
  deletionCode: { name: string; code: string; minutes: number }
  factorsCode: { name: string; code: string; minutes: number }
  accountDeleted: { name: string; login: string; date: Date }
  /** `document` is the name of an agreement, `link` its page. */
  agreementReminder: { name: string; document: string; link: string }
  /** An administrator tests whether mails arrive; `person` is the administrator. */
  test: { name: string; person: string; date: Date }
  news: { name: string; title: string; text: string; link: string }
  digest: {
    name: string
    period: 'daily' | 'weekly'
    items: { title: string; text: string; date: Date; link: string }[]
    link: string
  }
}
export type MailTemplate = keyof MailValues

/** The values of each SMS. Those with a code end in the line from which phones fill it in. */
export type SmsValues = {
  signInCode: { code: string }
  /** Proves a mobile: in registration, invitation and profile. */
  mobileCode: { code: string }
  passwordCode: { code: string }
  deletionCode: { code: string }
  factorsCode: { code: string }
  newDevice: { device: string; date: Date }
  passwordChanged: { date: Date }
  invitation: { company: string }
  accessApproved: { company: string }
  accessRefused: { company: string }
  test: { date: Date }
}
export type SmsTemplate = keyof SmsValues
