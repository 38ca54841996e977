'use client'

import { ArrowUpRight, History } from 'lucide-react'
import { useTranslations } from 'next-intl'
import { CardActions } from '@/components/card/card-actions'
import type { Domain } from '@/lib/site/domains/contract'
import { useDomainActions } from '../../_ui/use-domain-actions'

type Props = {
  domain: Domain
  name: string
  own: boolean
  /** The address of its sign-in page; null for a domain that serves nobody. */
  signIn: string | null
  /** The address of its history; null for people who may not read it. */
  history: string | null
}

/** The actions on the domain of a page. */
export function DomainActions({ domain, name, own, signIn, history }: Props) {
  const t = useTranslations('domains')
  const { toggle, remove } = useDomainActions(domain, name, own)
  return (
    <CardActions
      name={name}
      actions={[
        signIn !== null && { kind: 'link', label: t('openSignIn'), icon: ArrowUpRight, href: signIn },
        history !== null && { kind: 'link', label: t('history'), icon: History, href: history },
        toggle,
        remove,
      ]}
    />
  )
}
