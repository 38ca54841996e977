/** The kinds of notices; each has its text in `notices.kinds`. */
export const noticeKinds = [
  'newDevice',
  'passwordChanged',
  'sessionsEnded',
  'invitation',
  'requestDecided',
  'accessRequested',
  'roleGiven',
  'roleTaken',
  'accessSwitched',
  'companiesMerged',
  'agreementReminder',
  'webhookDisabled',
  'hostsAdded',
  'news',
] as const
export type NoticeKind = (typeof noticeKinds)[number]

/** The values of the text of each kind. */
export type NoticeValues = {
  newDevice: { device: string; ip: string }
  passwordChanged: { device: string; ip: string }
  sessionsEnded: { count: number }
  invitation: { company: string }
  requestDecided: { status: 'approved' | 'failure' | 'duplicate'; company: string }
  /** To those who decide. */
  accessRequested: { person: string }
  roleGiven: { role: string; roleEn: string }
  roleTaken: { role: string; roleEn: string }
  accessSwitched: { of: 'role' | 'organization' | 'contractor'; state: 'on' | 'off'; name: string; nameEn: string }
  companiesMerged: { company: string }
  agreementReminder: { document: string }
  webhookDisabled: {
    webhook: string
    application: string
    applicationEn: string
    reason: 'gone' | 'failed'
    /** Older notices lack it. */
    applicationId?: string
  }
  /** To administrators. */
  hostsAdded: { hosts: string; domain: string; domainId: string }
  /** The id; readers get the title and the text in their language. */
  news: { news: string }
}
