import type { Metadata } from 'next'
import { getMessages, getTranslations } from 'next-intl/server'
import { Suspense } from 'react'
import { List } from '@/components/list/list'
import { TableSkeleton } from '@/components/list/table-skeleton'
import { PageMessages } from '@/components/shell/page-messages'
import { PageHeader } from '@/components/ui/page-header'
import { pageUser } from '@/lib/context/navigation'
import { pageContext } from '@/lib/context/page'
import { pageTitle } from '@/lib/context/title'
import { pickMessages } from '@/lib/kernel/i18n/messages'
import { type PageSearch, readListAddress } from '@/lib/kernel/list-address'
import { DeviceTypeQuery } from '@/lib/platform/device-types/contract'
import { CreateDeviceType } from './_ui/create-device-type'
import { DeviceTypes } from './_ui/device-types'

const path = '/platform/setting/device-types'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('shell')
  return pageTitle(t('screens.PlatformDeviceTypes'))
}

/** Kinds of device, by which domains decide how people may sign in. */
export default async function DeviceTypesPage({ searchParams }: { searchParams: Promise<PageSearch> }) {
  const { ctx } = await pageContext()
  const { query, address } = readListAddress(DeviceTypeQuery, path, await searchParams)
  const user = await pageUser(ctx, path, address.search && `?${address.search}`)
  const [t, tShell, messages] = await Promise.all([
    getTranslations('device-types'),
    getTranslations('shell'),
    getMessages(),
  ])
  const mayWrite = user.methods.has('device-types.write')
  return (
    <PageMessages messages={pickMessages(messages, ['device-types'])}>
      <div className="grid gap-5">
        <PageHeader
          title={tShell('screens.PlatformDeviceTypes')}
          text={t('lead')}
          action={mayWrite ? <CreateDeviceType /> : null}
        />
        <List>
          <Suspense fallback={<TableSkeleton columns={4} />}>
            <DeviceTypes ctx={ctx} query={query} address={address} mayWrite={mayWrite} />
          </Suspense>
        </List>
      </div>
    </PageMessages>
  )
}
