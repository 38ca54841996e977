import { endpoints } from '@/lib/kernel/http/endpoints'
import * as calls from './contract'
import {
  createClient,
  deleteClient,
  enableClient,
  endPreviousSecret,
  readClientSecret,
  rotateClientSecret,
  updateClient,
  updateClientAuthentication,
  updateClientKeys,
} from './manage'

export default endpoints(calls, {
  createClient,
  deleteClient,
  enableClient,
  endPreviousSecret,
  readClientSecret,
  rotateClientSecret,
  updateClient,
  updateClientAuthentication,
  updateClientKeys,
})
