import { route } from '@/lib/context/route'
import { searchLocales } from '@/lib/platform/locales/contract'
import { foundLocales } from '@/lib/platform/locales/service'

export const GET = route(searchLocales, foundLocales)
