import { mostCounted, type Webhook } from '@/lib/applications/webhooks/contract'
import {
  isType,
  partsOf,
  testType,
  type WebhookObject,
  type WebhookType,
  webhookObjects,
} from '@/lib/applications/webhooks/types'

type Words = (key: `objects.${WebhookObject}` | `acts.${'created' | 'updated' | 'deleted'}` | 'testType') => string

/**
 * Returns a function that names a type of events: “Users: creation”. A type of another version is shown as its code.
 */
export const typeWords = (t: Words) => (type: string) => {
  if (type === testType) return t('testType')
  if (!isType(type)) return type
  const [object, act] = partsOf(type)
  return `${t(`objects.${object}`)}: ${t(`acts.${act}`)}`
}

/** Returns the objects of a webhook's events, each with its types. Types of another version are left out. */
export const heardBy = ({ types }: Pick<Webhook, 'types'>) =>
  webhookObjects.flatMap(({ types: all, ...object }) => {
    const heardTypes = all.filter((type) => types.includes(type))
    return heardTypes.length > 0 ? [{ ...object, types: heardTypes }] : []
  })

/** Returns a function that names an object and its events: “Users: created, changed”. */
export const objectWords = (t: Words) => (name: WebhookObject, types: readonly WebhookType[]) =>
  `${t(`objects.${name}`)}: ${types.map((type) => t(`acts.${partsOf(type)[1]}`)).join(', ')}`

/** The state of a webhook: the tone of its pill, and the key of its text. */
export function stateOf({ enabled, disabledReason, failingSince }: Webhook) {
  if (!enabled) return disabledReason ? (['danger', 'stopped'] as const) : (['neutral', 'off'] as const)
  return failingSince ? (['warning', 'failing'] as const) : (['ok', 'on'] as const)
}

/** The values for the text that says how many messages wait; they are counted up to a thousand. */
export const amountOf = (messageCount: number) => ({ count: messageCount, more: String(messageCount >= mostCounted) })

export const deliveryTones = { wait: 'info', success: 'ok', failure: 'danger', dropped: 'neutral' } as const
