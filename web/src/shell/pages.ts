import {
  Activity,
  GitFork,
  History,
  Import,
  type LucideIcon,
  MessagesSquare,
  Settings,
  Shapes,
  TriangleAlert,
  UserRound,
} from "lucide-react";
import type { ComponentType } from "react";
import { paged } from "./loading";
import { TEXTS } from "../texts";

export interface PageEntry {
  path: string;
  name: string;
  icon: LucideIcon;
  page: ComponentType;
}

/** Every page is a file of its own, loaded when it is first looked at. */
export const PAGES: readonly PageEntry[] = [
  {
    path: "/",
    name: TEXTS.chat.title,
    icon: MessagesSquare,
    page: paged(() => import("../pages/chat/chat")),
  },
  {
    path: "/memories",
    name: TEXTS.memories.title,
    icon: Shapes,
    page: paged(() => import("../pages/memories/memories")),
  },
  {
    path: "/profile",
    name: TEXTS.profile.title,
    icon: UserRound,
    page: paged(() => import("../pages/profile/profile")),
  },
  {
    path: "/timeline",
    name: TEXTS.timeline.title,
    icon: History,
    page: paged(() => import("../pages/timeline/timeline")),
  },
  {
    path: "/graph",
    name: TEXTS.graph.title,
    icon: GitFork,
    page: paged(() => import("../pages/graph/graph")),
  },
  {
    path: "/conflicts",
    name: TEXTS.conflicts.title,
    icon: TriangleAlert,
    page: paged(() => import("../pages/conflicts/conflicts")),
  },
  {
    path: "/stats",
    name: TEXTS.stats.title,
    icon: Activity,
    page: paged(() => import("../pages/stats/stats")),
  },
  {
    path: "/import",
    name: TEXTS.importing.title,
    icon: Import,
    page: paged(() => import("../pages/import/import")),
  },
  {
    path: "/settings",
    name: TEXTS.settings.title,
    icon: Settings,
    page: paged(() => import("../pages/settings/settings")),
  },
];

/** How many stand in the bar of a phone; the others are behind "More". */
export const ON_PHONE = 4;
