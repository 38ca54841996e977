'use client'

import type { ComponentProps } from 'react'
import { SliceCreate, SliceMenu } from '@/components/list/slice-parts'
import type { Audience } from '@/lib/news/news/kinds'
import type { NewsMenu } from './news-menu'

const menu = () => import('./news-menu').then((part) => part.NewsMenu)

/** The button that creates news, with its dialog. `offered`: the audiences that the reader may choose. */
export const CreateNews = ({ offered }: { offered: readonly Audience[] }) => (
  <SliceCreate
    texts="news"
    form={() =>
      import('./news-form').then(({ NewNews }) => (props: Omit<ComponentProps<typeof NewNews>, 'offered'>) => (
        <NewNews {...props} offered={offered} />
      ))
    }
  />
)

/** The menu of a row. */
export const NewsRowMenu = (of: ComponentProps<typeof NewsMenu>) => <SliceMenu menu={menu} of={of} />
