import { acceptByRegistration } from '@/lib/entry/invitations/auto-success'
import { endUserSessions } from '@/lib/entry/sessions/service'
import { onEvent } from '@/lib/kernel/events'

// imported for its effect by whatever composes contexts: the handlers are there before any verb runs
onEvent('userDisabled', (tx, ctx, { userId }) => endUserSessions(tx, ctx, userId, 'disabled'))
onEvent('accountCreated', acceptByRegistration)
