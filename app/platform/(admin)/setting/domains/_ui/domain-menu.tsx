'use client'

import { RowActions } from '@/components/form/row-actions'
import type { DomainRow } from '@/lib/site/domains/contract'
import { useDomainActions } from './use-domain-actions'

type Props = { domain: DomainRow; name: string; href: string; own: boolean; mayWrite: boolean }

/** The actions on a domain; `href` leads to its page. */
export function DomainMenu({ domain, name, href, own, mayWrite }: Props) {
  const { toggle, remove } = useDomainActions(domain, name, own)
  return <RowActions row={name} actions={[{ kind: 'card', href }, mayWrite && toggle, mayWrite && remove]} />
}
