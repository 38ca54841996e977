import { acceptByRegistration } from '@/lib/entry/invitations/auto-success'
import { endUserSessions } from '@/lib/entry/sessions/service'
import { composeHandlers, onEvent } from '@/lib/kernel/handlers'
import { countBadge } from '@/lib/kernel/navigation/badges'
import { openMatters } from '@/lib/operations/overview/service'

let composed = false

/**
 * Registers everything that must be heard in whatever process runs verbs: the server, the worker, commands, tests.
 * Called where each of them makes its contexts or takes its tasks; a second call does nothing.
 */
export function compose(): void {
  if (composed) return
  composeHandlers(() => {
    onEvent('userDisabled', (tx, ctx, { userId }) => endUserSessions(tx, ctx, userId, 'disabled'))
    onEvent('accountCreated', acceptByRegistration)
  })
  // the menu's numbers are counted in wings that it doesn't know
  countBadge('Platform', openMatters)
  composed = true
}
