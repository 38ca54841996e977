/** The kinds of notices; each has its text in `notices.kinds`. */
export const noticeKinds = ['newDevice', 'passwordChanged', 'sessionsEnded', 'invitation'] as const
export type NoticeKind = (typeof noticeKinds)[number]

/** The values of the text of each kind. */
export type NoticeValues = {
  newDevice: { device: string; ip: string }
  passwordChanged: { device: string; ip: string }
  sessionsEnded: { count: number }
  invitation: { company: string }
}
