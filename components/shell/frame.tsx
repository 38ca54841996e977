'use client'

import { PanelLeftClose, PanelLeftOpen } from 'lucide-react'
import { createContext, type ReactNode, use, useState } from 'react'
import { call } from '@/lib/base/http/client'
import type { patchUserSettings } from '@/lib/my-account/settings/contract'
import { PageNames } from './page-name'

const Fold = createContext<{ mini: boolean; toggle: () => void }>({ mini: false, toggle: () => {} })

type FrameProps = { mini: boolean; titles: boolean; children: ReactNode }

/**
 * The page with header, menu and content. `mini`: whether the server renders the side menu folded; `titles`: whether a
 * folded menu has labels under its icons.
 */
export function ShellFrame({ mini: initial, titles, children }: FrameProps) {
  const [mini, setMini] = useState(initial)
  const toggle = () => {
    setMini(!mini)
    // if the choice can't be stored, it applies to this page only
    // (docs/rules/texts-and-look.md#failures-that-are-only-logged: logged, without a message)
    call<typeof patchUserSettings>(
      { method: 'PATCH', path: '/users/settings' },
      { body: { settings: { navMini: !mini } } },
    ).catch((error) => console.warn('the folded menu is not kept', error))
  }
  return (
    <Fold value={{ mini, toggle }}>
      <PageNames>
        <div
          data-shell=""
          data-mini={mini || undefined}
          data-titles={titles || undefined}
          className="group/shell flex min-h-dvh"
        >
          {children}
        </div>
      </PageNames>
    </Fold>
  )
}

/** Folds and unfolds the side menu. In a window whose width makes the menu a rail, there is nothing to unfold. */
export function FoldButton({ fold, unfold }: { fold: string; unfold: string }) {
  const { mini, toggle } = use(Fold)
  const Icon = mini ? PanelLeftOpen : PanelLeftClose
  const label = mini ? unfold : fold
  return (
    <button
      type="button"
      onClick={toggle}
      aria-expanded={!mini}
      aria-label={label}
      title={mini ? undefined : label}
      data-tip={label}
      className="-mr-1.5 flex size-8 shrink-0 cursor-pointer items-center justify-center self-end rounded-control text-ink-second transition-colors hover:bg-[color-mix(in_oklab,var(--ink)_5%,transparent)] hover:text-ink mini:mr-0 mini:w-full max-[1024px]:hidden pointer-coarse:size-11"
    >
      <Icon aria-hidden="true" strokeWidth={1.75} className="size-5 shrink-0" />
    </button>
  )
}
