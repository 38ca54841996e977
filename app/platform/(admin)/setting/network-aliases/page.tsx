import { getMessages, getTranslations } from 'next-intl/server'
import { ListPage } from '@/components/list/list-page'
import { listPageContext } from '@/lib/context/list-page'
import { screenTitle } from '@/lib/context/title'
import { holdsMethod } from '@/lib/kernel/access'
import { pickMessages } from '@/lib/kernel/i18n/messages'
import type { PageSearch } from '@/lib/kernel/list-address'
import { NetworkAliasQuery } from '@/lib/platform/network-aliases/contract'
import { CreateAlias } from './_ui/alias-parts'
import { Aliases } from './_ui/aliases'

export const generateMetadata = () => screenTitle('PlatformNetworkAliases')

/** Named groups of addresses. */
export default async function NetworkAliasesPage({ searchParams }: { searchParams: Promise<PageSearch> }) {
  const { user, ...list } = await listPageContext(NetworkAliasQuery, '/platform/setting/network-aliases', searchParams)
  const [t, tShell, messages] = await Promise.all([
    getTranslations('network-aliases'),
    getTranslations('shell'),
    getMessages(),
  ])
  const mayWrite = holdsMethod(user, 'network-aliases.write')
  return (
    <ListPage
      title={tShell('screens.PlatformNetworkAliases')}
      lead={t('lead')}
      action={mayWrite ? <CreateAlias /> : null}
      messages={pickMessages(messages, ['network-aliases'])}
      columns={4}
    >
      <Aliases {...list} mayWrite={mayWrite} />
    </ListPage>
  )
}
