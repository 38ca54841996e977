type Flow = 'email_code' | 'sms_code'

/** The subject of codes that were requested for what was typed, whatever they are for; the answer shows its limit. */
export const askedFor = (flow: Flow, kind: string, identifier: string) => `${flow} ${kind} ${identifier}`

/** The same in a browser that the account knows: `account` is the key under which tries are counted there. */
export const askedInBrowser = (flow: Flow, account: string) => `${flow} of ${account}`

/** The subject of codes that were sent to a receiver, for each known browser apart from all others. */
export const sentTo = (flow: Flow, to: string, knownDevice: string | null = null) =>
  knownDevice ? `${flow} ${to} ${knownDevice}` : `${flow} ${to}`
