import { endpoints } from '@/lib/base/http/endpoints'
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
