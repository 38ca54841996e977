import { z } from 'zod'

/** The subscriptions of a person, in the order in which they are shown. */
export const subscriptionIds = ['requestDecided', 'invitation', 'news', 'newDevice', 'passwordChanged'] as const
export type SubscriptionId = (typeof subscriptionIds)[number]

/** The channels: a mail, an SMS, or a notification on the platform. */
export const channelIds = ['email', 'sms', 'local'] as const
export type ChannelId = (typeof channelIds)[number]

/** When mails are sent: at once, or in a daily or weekly digest. SMS and notifications are always sent at once. */
export const periods = ['instant', 'daily', 'weekly'] as const
export type Period = (typeof periods)[number]

type Rule = {
  periods: readonly Period[]
  /** The available channels with their defaults; `always` can't be switched off. */
  channels: Readonly<Partial<Record<ChannelId, 'on' | 'off' | 'always'>>>
}

const security: Rule = { periods: ['instant'], channels: { email: 'always', sms: 'off', local: 'on' } }

/** The choices of each subscription (docs/rules/profile.md#subscriptions). The first period is the default. */
export const subscriptionRules: Readonly<Record<SubscriptionId, Rule>> = {
  requestDecided: { periods, channels: { email: 'on', sms: 'off', local: 'on' } },
  // only the mail contains the link
  invitation: { periods, channels: { email: 'always', sms: 'off', local: 'on' } },
  // mails of news need the person's consent
  news: { periods, channels: { email: 'off', local: 'on' } },
  newDevice: security,
  passwordChanged: security,
}

/** The subscriptions that protect the account. */
export const securityIds: readonly SubscriptionId[] = ['newDevice', 'passwordChanged']

/** The stored choices of a person; a missing choice has its default. */
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

/**
 * Returns the choice that applies to a subscription, from the stored choices; ignores values that this version doesn't
 * know.
 */
export function choiceFrom(id: SubscriptionId, stored: StoredChoices): Choice {
  const { periods: available, channels } = subscriptionRules[id]
  const chosen = Object.hasOwn(stored, id) ? stored[id] : undefined
  const entries = channelsOf(id).map((channel) => {
    const byDefault = channels[channel] !== 'off'
    return [channel, isLocked(id, channel) || (chosen?.channels?.[channel] ?? byDefault)] as const
  })
  return {
    period: available.find((period) => period === chosen?.period) ?? available[0] ?? 'instant',
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

/** Returns the current values of all changeable parts, by the names of the parts. */
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
