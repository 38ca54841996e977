import { endpoints } from '@/lib/base/http/endpoints'
import * as calls from './contract'
import {
  createNewsItem,
  deleteNewsItem,
  listNews,
  previewNewsItem,
  publishNewsItem,
  readNewsItem,
  updateNewsItem,
  withdrawNewsItem,
} from './service'

export default endpoints(calls, {
  createNewsItem,
  deleteNewsItem,
  listNews,
  previewNewsItem,
  publishNewsItem,
  readNewsItem,
  updateNewsItem,
  withdrawNewsItem,
})
