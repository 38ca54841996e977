import { getMessages, getTranslations } from 'next-intl/server'
import { ListPage } from '@/components/list/list-page'
import { listPageContext } from '@/lib/context/list-page'
import { screenTitle } from '@/lib/context/title'
import { holdsMethod } from '@/lib/kernel/access'
import { pickMessages } from '@/lib/kernel/i18n/messages'
import type { PageSearch } from '@/lib/kernel/list-address'
import { DeviceTypeQuery } from '@/lib/platform/device-types/contract'
import { CreateDeviceType } from './_ui/device-type-parts'
import { DeviceTypes } from './_ui/device-types'

export const generateMetadata = () => screenTitle('PlatformDeviceTypes')

/** Kinds of device, by which domains decide how people may sign in. */
export default async function DeviceTypesPage({ searchParams }: { searchParams: Promise<PageSearch> }) {
  const { user, ...list } = await listPageContext(DeviceTypeQuery, '/platform/setting/device-types', searchParams)
  const [t, tShell, messages] = await Promise.all([
    getTranslations('device-types'),
    getTranslations('shell'),
    getMessages(),
  ])
  const mayWrite = holdsMethod(user, 'device-types.write')
  return (
    <ListPage
      title={tShell('screens.PlatformDeviceTypes')}
      lead={t('lead')}
      action={mayWrite ? <CreateDeviceType /> : null}
      messages={pickMessages(messages, ['device-types'])}
      columns={4}
    >
      <DeviceTypes {...list} mayWrite={mayWrite} />
    </ListPage>
  )
}
