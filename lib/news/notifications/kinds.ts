/** The kinds of notifications; each has its text in `notices.kinds`. */
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
  /** For people who may decide. */
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
    /** Older notifications don't have it. */
    applicationId?: string
  }
  /** For administrators. */
  hostsAdded: { hosts: string; domain: string; domainId: string }
  /** The id of the news; readers get its title and text in their language. */
  news: { news: string }
}
