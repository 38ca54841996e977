import { route } from '@/lib/context/route'
import * as calls from '@/lib/platform/webhooks/contract'
import * as service from '@/lib/platform/webhooks/service'

export const PUT = route(calls.rotateWebhookSecret, service.rotateWebhookSecret)
export const DELETE = route(calls.endPreviousWebhookSecret, service.endPreviousWebhookSecret)
