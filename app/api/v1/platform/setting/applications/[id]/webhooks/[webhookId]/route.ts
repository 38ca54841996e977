import { route } from '@/lib/context/route'
import * as calls from '@/lib/platform/webhooks/contract'
import * as service from '@/lib/platform/webhooks/service'

export const GET = route(calls.readWebhook, service.readWebhook)
export const PUT = route(calls.updateWebhook, service.updateWebhook)
export const DELETE = route(calls.deleteWebhook, service.deleteWebhook)
