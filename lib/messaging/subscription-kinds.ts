import { z } from 'zod'

/** What a person can be told of, in the order in which it is shown. */
export const subscriptionIds = ['requestDecided', 'invitation', 'news', 'newDevice', 'passwordChanged'] as const
export type SubscriptionId = (typeof subscriptionIds)[number]

/** How: by mail, by SMS, or by a notice on the platform. */
export const channelIds = ['email', 'sms', 'local'] as const
export type ChannelId = (typeof channelIds)[number]

/** When mails come: at once, or in a digest of a day or a week. SMS and notices always come at once. */
export const periods = ['instant', 'daily', 'weekly'] as const
export type Period = (typeof periods)[number]

type Rule = {
  periods: readonly Period[]
  /** The channels that there are, and what each is until the person chooses; `always` can't be switched off. */
  channels: Readonly<Partial<Record<ChannelId, 'on' | 'off' | 'always'>>>
}

const security: Rule = { periods: ['instant'], channels: { email: 'always', sms: 'off', local: 'on' } }

/** What can be chosen of each subscription (docs/rules/profile.md#subscriptions). The first period is the default. */
export const subscriptionRules: Readonly<Record<SubscriptionId, Rule>> = {
  requestDecided: { periods, channels: { email: 'on', sms: 'off', local: 'on' } },
  // only the mail has the link
  invitation: { periods, channels: { email: 'always', sms: 'off', local: 'on' } },
  // mails of news need the person's consent
  news: { periods, channels: { email: 'off', local: 'on' } },
  newDevice: security,
  passwordChanged: security,
}

/** The subscriptions that protect the account. */
export const securityIds: readonly SubscriptionId[] = ['newDevice', 'passwordChanged']

/** What a person has chosen, as it is stored: what is left out is as at the beginning. */
export const StoredChoices = z.record(
  z.string(),
  z.looseObject({ period: z.string().optional(), channels: z.record(z.string(), z.boolean()).optional() }),
)
export type StoredChoices = z.output<typeof StoredChoices>

export type Choice = { period: Period; channels: Readonly<Partial<Record<ChannelId, boolean>>> }

/** The channels of a subscription. */
export const channelsOf = (id: SubscriptionId): ChannelId[] =>
  channelIds.filter((channel) => subscriptionRules[id].channels[channel] !== undefined)

/** Returns whether a channel of a subscription can't be switched off. */
export const isLocked = (id: SubscriptionId, channel: ChannelId) => subscriptionRules[id].channels[channel] === 'always'

/** Returns what applies of a subscription, by what is stored; values that this version doesn't know are ignored. */
export function choiceFrom(id: SubscriptionId, stored: StoredChoices): Choice {
  const { periods: available, channels } = subscriptionRules[id]
  const own = Object.hasOwn(stored, id) ? stored[id] : undefined
  const entries = channelsOf(id).map((channel) => {
    const byDefault = channels[channel] !== 'off'
    return [channel, isLocked(id, channel) || (own?.channels?.[channel] ?? byDefault)] as const
  })
  return {
    period: available.find((period) => period === own?.period) ?? available[0] ?? 'instant',
    channels: Object.fromEntries(entries),
  }
}

export type Part = ChannelId | 'period'
/** The name of a part of a subscription in forms and in the history: `newsEmail`, `newsPeriod`. */
export type PartName = `${SubscriptionId}${Capitalize<Part>}`
export const partName = (id: SubscriptionId, part: Part): PartName =>
  `${id}${part.charAt(0).toUpperCase()}${part.slice(1)}` as PartName

/** The parts of a subscription that a person can change. */
export const changeableParts = (id: SubscriptionId): Part[] => [
  ...channelsOf(id).filter((channel) => !isLocked(id, channel)),
  ...(subscriptionRules[id].periods.length > 1 ? (['period'] as const) : []),
]

/** Returns what applies of all that can be changed, by the names of those parts. */
export const partsOf = (stored: StoredChoices) =>
  Object.fromEntries(
    subscriptionIds.flatMap((id) => {
      const { period, channels } = choiceFrom(id, stored)
      return changeableParts(id).map((part) => [
        partName(id, part),
        part === 'period' ? period : channels[part] === true,
      ])
    }),
  ) as Record<PartName, boolean | Period>
