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

/** Returns a function that names a type of events: “Users: creation”. A type of another version has its code. */
export const typeWords = (t: Words) => (type: string) => {
  if (type === testType) return t('testType')
  if (!isType(type)) return type
  const [object, act] = partsOf(type)
  return `${t(`objects.${object}`)}: ${t(`acts.${act}`)}`
}

/** Returns what a webhook hears of, each with its types. Types of another version aren't among them. */
export const heardBy = ({ types }: Pick<Webhook, 'types'>) =>
  webhookObjects.flatMap(({ types: all, ...object }) => {
    const heard = all.filter((type) => types.includes(type))
    return heard.length > 0 ? [{ ...object, types: heard }] : []
  })

/** Returns a function that names what is heard of an object: “Users: created, changed”. */
export const objectWords = (t: Words) => (name: WebhookObject, types: readonly WebhookType[]) =>
  `${t(`objects.${name}`)}: ${types.map((type) => t(`acts.${partsOf(type)[1]}`)).join(', ')}`

/** How a webhook is: the tone of its pill, and the key of its text. */
export function stateOf({ enabled, disabledReason, failingSince }: Webhook) {
  if (!enabled) return disabledReason ? (['danger', 'stopped'] as const) : (['neutral', 'off'] as const)
  return failingSince ? (['warning', 'failing'] as const) : (['ok', 'on'] as const)
}

/** How many messages wait, for its text; they are counted up to a thousand. */
export const amountOf = (waiting: number) => ({ count: waiting, more: String(waiting >= mostCounted) })

export const deliveryTones = { wait: 'info', success: 'ok', failure: 'danger', dropped: 'neutral' } as const
