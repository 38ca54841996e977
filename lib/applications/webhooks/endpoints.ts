import { endpoints } from '@/lib/base/http/endpoints'
import * as calls from './contract'
import {
  createWebhook,
  deleteWebhook,
  enableWebhook,
  endPreviousWebhookSecret,
  listWebhookDeliveries,
  listWebhooks,
  readWebhook,
  readWebhookDelivery,
  replayWebhook,
  replayWebhookDelivery,
  rotateWebhookSecret,
  testWebhook,
  updateWebhook,
} from './service'

export default endpoints(calls, {
  createWebhook,
  deleteWebhook,
  enableWebhook,
  endPreviousWebhookSecret,
  listWebhookDeliveries,
  listWebhooks,
  readWebhook,
  readWebhookDelivery,
  replayWebhook,
  replayWebhookDelivery,
  rotateWebhookSecret,
  testWebhook,
  updateWebhook,
})
