import { route } from '@/lib/context/route'
import * as calls from '@/lib/platform/webhooks/contract'
import * as service from '@/lib/platform/webhooks/service'

export const GET = route(calls.readWebhookDelivery, service.readWebhookDelivery)
