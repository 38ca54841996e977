import { ListPage } from '@/components/list/list-page'
import type { PageSearch } from '@/lib/base/lists/list-address'
import { listPageContext } from '@/lib/request/list-page'
import { screenTitle } from '@/lib/request/title'
import { DeviceTypeQuery } from '@/lib/site/device-types/contract'
import { CreateDeviceType } from './_ui/device-type-parts'
import { DeviceTypes } from './_ui/device-types'

export const generateMetadata = () => screenTitle('PlatformDeviceTypes')

/** The device types. Domains decide by them how people may sign in. */
export default async function DeviceTypesPage({ searchParams }: { searchParams: Promise<PageSearch> }) {
  const list = await listPageContext('PlatformDeviceTypes', DeviceTypeQuery, searchParams)
  return (
    <ListPage name={list.name} texts="device-types" action={list.mayWrite ? <CreateDeviceType /> : null} columns={4}>
      <DeviceTypes {...list} />
    </ListPage>
  )
}
