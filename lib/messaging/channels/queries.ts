import { db } from '@/db/client'
import { rowsById } from '@/db/rows'
import { notifyMethods } from '@/db/schema/subscriptions'

export const selectMethods = () => db().select().from(notifyMethods)

export const notifyMethodRows = rowsById(notifyMethods)
