import { asc } from 'drizzle-orm'
import { db } from '@/db/client'
import { deviceTypes } from '@/db/schema/platform'

export const allDeviceTypes = () =>
  db()
    .select({ id: deviceTypes.id, code: deviceTypes.code, name: deviceTypes.name, nameEn: deviceTypes.nameEn })
    .from(deviceTypes)
    .orderBy(asc(deviceTypes.name), asc(deviceTypes.id))
