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
import { NetworkAliasQuery } from '@/lib/platform/network-aliases/contract'
import { Aliases } from './_ui/aliases'
import { CreateAlias } from './_ui/create-alias'

const path = '/platform/setting/network-aliases'

export async function generateMetadata(): Promise<Metadata> {
  const t = await getTranslations('shell')
  return pageTitle(t('screens.PlatformNetworkAliases'))
}

/** Named groups of addresses. */
export default async function NetworkAliasesPage({ searchParams }: { searchParams: Promise<PageSearch> }) {
  const { ctx } = await pageContext()
  const { query, address } = readListAddress(NetworkAliasQuery, path, await searchParams)
  const user = await pageUser(ctx, path, address.search && `?${address.search}`)
  const [t, tShell, messages] = await Promise.all([
    getTranslations('network-aliases'),
    getTranslations('shell'),
    getMessages(),
  ])
  const mayWrite = user.methods.has('network-aliases.write')
  return (
    <PageMessages messages={pickMessages(messages, ['network-aliases'])}>
      <div className="grid gap-5">
        <PageHeader
          title={tShell('screens.PlatformNetworkAliases')}
          text={t('lead')}
          action={mayWrite ? <CreateAlias /> : null}
        />
        <List>
          <Suspense fallback={<TableSkeleton columns={4} />}>
            <Aliases ctx={ctx} query={query} address={address} mayWrite={mayWrite} />
          </Suspense>
        </List>
      </div>
    </PageMessages>
  )
}
