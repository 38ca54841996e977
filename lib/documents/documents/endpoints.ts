import { endpoints } from '@/lib/base/http/endpoints'
import {
  createDocument,
  deleteDocument,
  enableDocument,
  listDocuments,
  readDocument,
  searchDocuments,
  updateDocument,
} from './administer'
import * as calls from './contract'
import { viewDocument } from './service'

export default endpoints(calls, {
  createDocument,
  deleteDocument,
  enableDocument,
  listDocuments,
  readDocument,
  searchDocuments,
  updateDocument,
  viewDocument,
})
