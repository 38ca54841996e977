import { expect, test } from 'vitest'
import type { Transaction } from '@/db/client'
import type { Ctx } from '@/lib/base/context/ctx'
import { emit } from '@/lib/base/events/events'
import {
  deliveryHandlers,
  deliverySubscriptions,
  NotComposedError,
  onDelivered,
  onEvent,
} from '@/lib/base/events/handlers'
import { putEvent } from '@/lib/base/events/outbox'

test('a process without composition can neither record nor emit, nor register by itself', async () => {
  // neither is called before the handlers are registered
  const [tx, ctx] = [{} as Transaction, {} as Ctx]
  const event = { type: 'update', entity: 'users', entityId: '1', changes: {}, changerId: null, requestId: '' } as const
  await expect(putEvent(tx, { ...event, date: new Date(0) })).rejects.toThrow(NotComposedError)
  await expect(emit(tx, ctx, 'userDisabled', { userId: '1' })).rejects.toThrow(NotComposedError)
  expect(() => onEvent('userDisabled', async () => undefined)).toThrow(NotComposedError)
  expect(() => onDelivered('users', 'somebody', async () => {})).toThrow(NotComposedError)
  for (const ask of [() => deliveryHandlers('users'), deliverySubscriptions]) expect(ask).toThrow('must call compose()')
})
