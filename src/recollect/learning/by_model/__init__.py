"""Facts and episodes from what was said, by a language model, as far as the words support it.

A model invents. So nothing it says is taken on trust: its answer is read as data (``answers``), each fact
must cite the turns that say it, and their words must support it (``support``). What fails is refused, with
the reason; what stands goes the same way as the facts of the rules.
"""
