import { providerCallbackRoute } from '@/lib/context/provider-sign-in'

export const GET = providerCallbackRoute
