'use client'

import { useRouter } from 'next/navigation'
import { type ComponentType, useState, useTransition } from 'react'
import { keepChoice } from './browser-cookie'
import { LanguageButton } from './language-button'
import type { LanguageMenuProps } from './language-menu'

type Language = { code: string; name: string }
type Props = { languages: Language[]; current: string; label: string }

/** Switches the language and keeps path, query and what was typed. */
export function LanguageSwitch({ languages, current, label }: Props) {
  const router = useRouter()
  const [, startTransition] = useTransition()
  const [Menu, setMenu] = useState<ComponentType<LanguageMenuProps> | null>(null)
  const name = languages.find(({ code }) => code === current)?.name ?? current
  const fetchMenu = () => import('./language-menu')
  const open = async () => {
    const { LanguageMenu } = await fetchMenu()
    setMenu(() => LanguageMenu)
  }
  const choose = (code: string) => {
    keepChoice('locale', code)
    startTransition(() => router.refresh())
  }
  if (Menu) return <Menu languages={languages} current={current} name={name} label={label} onChoose={choose} />
  return (
    <LanguageButton
      name={name}
      aria-label={label}
      aria-haspopup="menu"
      aria-expanded={false}
      onPointerEnter={fetchMenu}
      onFocus={fetchMenu}
      onClick={open}
    />
  )
}
