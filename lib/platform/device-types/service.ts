import { cached } from '@/lib/kernel/cache'
import { allDeviceTypes } from './queries'

type DeviceType = { id: string; code: string; name: string; nameEn: string | null }

/** Every device type, by name. */
export const deviceTypes = (): Promise<DeviceType[]> => cached('device-types', async () => allDeviceTypes())
